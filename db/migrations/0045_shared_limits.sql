-- Limits that all processes of an exchange count together (src/limits). Unlogged: a crash of PostgreSQL or a failover forgets
-- the last ten minutes, and nothing is written twice for a count.

create unlogged table limit_counts (
  -- A hash of the limit and of whom it counts.
  key uuid not null,
  -- Five seconds, numbered since 1970.
  slot integer not null,
  count integer not null,
  primary key (key, slot)
);
create index limit_counts_slot on limit_counts (slot);

-- The processes that answer requests: one that is alone needs no table to count.
create unlogged table limit_processes (
  id uuid primary key,
  seen_at timestamptz not null
);

-- For each key: counts what a process has already allowed (`made`: how often, by age in seconds), then allows as many of the
-- `wanted` as the limit leaves, and returns what is counted now, by the milliseconds until it leaves the window of ten minutes.
-- A slot leaves as a whole, when its end does. The callers sort their keys, so that two of them never wait for each other.
create function count_takes(keys uuid[], limits bigint[], wanted integer[], made jsonb[])
returns table (granted integer, counted jsonb)
language plpgsql set lock_timeout = '250ms' as $$
declare
  at constant double precision := extract(epoch from clock_timestamp());
  oldest constant integer := floor((at - 600) / 5);
  used bigint;
begin
  for i in 1 .. cardinality(keys) loop
    perform pg_advisory_xact_lock(hashtextextended(keys[i]::text, 0));
    insert into limit_counts as c (key, slot, count)
      select keys[i], floor((at - age::integer) / 5), sum(times::integer)
      from jsonb_each_text(made[i]) as m (age, times) group by 2
      on conflict (key, slot) do update set count = c.count + excluded.count;
    select coalesce(sum(count), 0) into used from limit_counts where key = keys[i] and slot >= oldest;
    granted := greatest(0, least(wanted[i], limits[i] - used));
    if granted > 0 then
      insert into limit_counts as c (key, slot, count) values (keys[i], floor(at / 5), granted)
        on conflict (key, slot) do update set count = c.count + excluded.count;
    end if;
    select coalesce(jsonb_object_agg(round(((slot + 1) * 5 + 600 - at) * 1000), count), '{}') into counted
      from limit_counts where key = keys[i] and slot >= oldest;
    return next;
  end loop;
end $$;
