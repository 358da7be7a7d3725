-- Webhooks: opt-in retries, a log that shows what was sent and answered, sending again, and secrets that overlap.
-- An attempt stays one row that is claimed once (0003): a retry or a resend is another row, so nothing that was claimed
-- is ever taken back, and two workers cannot send the same one.

alter table webhooks
  add column retries boolean not null default false,
  -- Whether deliveries also carry the headers of Standard Webhooks.
  add column standard_headers boolean not null default false,
  -- Still signs, beside the new one, until then.
  add column old_secret bytea,
  add column overlap_until timestamptz,
  -- When the last attempt of a delivery failed; a success clears it. The agent is notified when it is set.
  add column gave_up_at timestamptz,
  add constraint webhooks_overlap check ((old_secret is null) = (overlap_until is null));

alter table webhook_deliveries
  add column attempt integer not null default 1,
  -- A retry that is not yet due. Null once it waits to be sent, as everything else does from the beginning.
  add column due_at timestamptz,
  -- [[name, value], …] as they were sent; unknown if the process died.
  add column sent_headers json,
  -- The beginning of what a public server answered.
  add column answer bytea check (octet_length(answer) <= 1024);

drop index webhook_deliveries_waiting;
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, id)
  where attempted_at is null and due_at is null;
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
-- Whoever asks to send an event again, and however often, it waits once.
create unique index webhook_deliveries_pending on webhook_deliveries (webhook_id, outbox_id)
  where attempted_at is null;

-- As in 0003, and what is due by now waits too. `at` is the time, which tests may pretend.
drop function claim_deliveries(integer, integer);
create function claim_deliveries(seats integer, per_webhook integer, at timestamptz default now_ms())
returns table (id bigint, uid uuid, webhook_id uuid, url text, secret bytea, old_secret bytea, standard_headers boolean,
  event text, body_at timestamptz, data text)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7405466002);

  update webhook_deliveries d set due_at = null, created_at = now_ms() where d.due_at <= at;

  return query
  with recursive waiting as (
    (select d.webhook_id from webhook_deliveries d
     where d.attempted_at is null and d.due_at is null order by d.webhook_id limit 1)
    union all
    select (select d.webhook_id from webhook_deliveries d
            where d.attempted_at is null and d.due_at is null and d.webhook_id > waiting.webhook_id
            order by d.webhook_id limit 1)
    from waiting where waiting.webhook_id is not null
  ),
  chosen as (
    select first.id, w.failures > 0 as is_failing, row_number() over (partition by w.id order by first.id) as turn
    from waiting
    join webhooks w on w.id = waiting.webhook_id and w.active
    join agents a on a.id = w.agent_id and a.verified_at is not null
    cross join lateral (
      select case when w.last_status = 'ok' then per_webhook else 1 end - count(*) as free
      from webhook_deliveries f
      where f.webhook_id = w.id and f.attempted_at is not null and f.finished_at is null
    ) room
    cross join lateral (
      -- The oldest of each subject among the next few: a long queue about one listing hides the others behind
      -- it only for as long as those few take.
      select min(next.id) as id
      from (select n.id, n.subject_id from webhook_deliveries n
            where n.webhook_id = w.id and n.attempted_at is null and n.due_at is null order by n.id limit 50) next
      where room.free > 0 and not exists (
        select from webhook_deliveries f
        where f.webhook_id = w.id and f.subject_id = next.subject_id
          and f.attempted_at is not null and f.finished_at is null)
      group by next.subject_id
      order by min(next.id)
      limit greatest(room.free, 0)
    ) first
    order by is_failing, turn, first.id
    limit seats
  )
  update webhook_deliveries d set attempted_at = now_ms()
  from chosen, webhooks w, outbox o
  where d.id = chosen.id and w.id = d.webhook_id and o.id = d.outbox_id
  returning d.id, d.uid, d.webhook_id, w.url, w.secret, case when w.overlap_until > at then w.old_secret end,
    w.standard_headers, o.event, o.created_at, o.data::text;
end $$;
