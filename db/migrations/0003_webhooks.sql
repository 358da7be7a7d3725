-- Webhooks: subscriptions, one row per delivery, and the two statements every worker lives by.
-- A delivery is claimed (attempted_at) and committed before its first byte goes out, and nothing ever
-- takes a claim back: a crash can cost one attempt, never cause a second.

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  url text not null,
  events text[] not null check (events <> '{}' and events <@
    '{lead.created,lead.updated,listing.published,listing.unpublished,listing.updated}'),
  -- Needed for signing, so it cannot be hashed; sealed by webhooks/secrets.ts.
  secret bytea not null,
  active boolean not null default true,
  created_at timestamptz not null default now_ms(),
  last_status text check (last_status in ('ok', 'http 4xx', 'http 5xx', 'error: delivery failed')),
  last_code integer,
  last_at timestamptz,
  -- Deliveries in a row that failed, counting none that was only a test.
  failures integer not null default 0,
  constraint webhooks_url unique (agent_id, url)
);

create table webhook_deliveries (
  -- Grows with time, so that the oldest waiting one comes first.
  id bigint generated always as identity primary key,
  -- What the receiver sees in X-SVC-Delivery.
  uid uuid not null unique default gen_random_uuid(),
  webhook_id uuid not null references webhooks on delete cascade,
  -- Null for a test, which is about nothing that was stored.
  outbox_id bigint references outbox,
  event text not null,
  subject_id uuid not null,
  created_at timestamptz not null default now_ms(),
  attempted_at timestamptz,
  finished_at timestamptz,
  duration_ms integer,
  status text check (status in ('ok', 'http 4xx', 'http 5xx', 'error: delivery failed')),
  code integer
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, id) where attempted_at is null;
create index webhook_deliveries_in_flight on webhook_deliveries (webhook_id, subject_id)
  where attempted_at is not null and finished_at is null;
create index webhook_deliveries_log on webhook_deliveries (webhook_id, attempted_at desc)
  where attempted_at is not null;
create index webhook_deliveries_age on webhook_deliveries (created_at);
create index webhook_deliveries_outbox on webhook_deliveries (outbox_id);

-- Gives the caller up to `seats` waiting deliveries, at most one per subscription and subject and `per_webhook`
-- per subscription counting all processes; one that was not answered well last time, or never yet, gets one.
-- Subscriptions take turns, the healthy first. Claims are made one after the other (the lock lasts as long as
-- this call), which is what makes the limits hold; each statement below sees what the last claim committed.
create function claim_deliveries(seats integer, per_webhook integer)
returns table (id bigint, uid uuid, webhook_id uuid, url text, secret bytea, event text, body_at timestamptz, data text)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7405466002);

  return query
  with recursive waiting as (
    (select d.webhook_id from webhook_deliveries d where d.attempted_at is null order by d.webhook_id limit 1)
    union all
    select (select d.webhook_id from webhook_deliveries d
            where d.attempted_at is null and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1)
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
            where n.webhook_id = w.id and n.attempted_at is null order by n.id limit 50) next
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
  returning d.id, d.uid, d.webhook_id, w.url, w.secret, o.event, o.created_at, o.data::text;
end $$;

-- Seals the secrets of webhooks when the operator gives no key of his own.
insert into settings (name, value)
values ('webhook_secret_key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

-- When the agent was told that a listing must be reconfirmed; before the last confirmation means not yet.
alter table listings add column reminded_at timestamptz;
create index listings_confirmed on listings (coalesce(confirmed_at, published_at, created_at))
  where status = 'published';
