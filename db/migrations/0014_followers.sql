-- What followers of the feed need beside its stamps (docs/decisions/0013-sync.md): who no longer sees which listing, and
-- of which history of this database a snapshot is.

-- Whether it is public, as of its last stamp: what the trigger compares with to notice that it no longer is.
alter table listings add column shown boolean not null default false;
alter table listings disable trigger listings_stamp;
update listings l set shown = true from agents a where a.id = l.agent_id and is_public(l, a);
alter table listings enable trigger listings_stamp;

create or replace function stamp_listing() returns trigger language plpgsql as $$
begin
  -- A listing and a change of its agent must not pass each other unseen: the lock makes one wait for the other.
  -- (An update needs none: the re-stamping of an agent's listings waits for the row itself.)
  if tg_op = 'INSERT' or new.agent_id is distinct from old.agent_id then
    perform from agents where id = new.agent_id for share;
    perform from agencies where id = (select agency_id from agents where id = new.agent_id) for share;
  end if;
  if tg_op = 'UPDATE' then
    -- These two are in no record.
    old.search := new.search;
    old.reminded_at := new.reminded_at;
  end if;
  if tg_op = 'INSERT' or new is distinct from old then
    new.version := random_version();
  end if;
  new.change_xid := pg_current_xact_id();
  new.shown := (select is_public(new, a) from agents a where a.id = new.agent_id);
  return new;
end $$;

-- From that transaction on somebody no longer sees a listing, unless it is visible again. The last time counts.
create table listing_removals (
  listing_id uuid not null,
  -- Who; null is everybody but the owner.
  agent_id uuid,
  change_xid xid8 not null default pg_current_xact_id(),
  version bigint not null default random_version(),
  constraint listing_removals_viewer unique nulls not distinct (listing_id, agent_id)
);
create index listing_removals_change on listing_removals (change_xid);

create function remove_listing(listing uuid, viewer uuid) returns void language sql
begin atomic
  insert into listing_removals (listing_id, agent_id) values (listing, viewer)
  on conflict on constraint listing_removals_viewer do update
    set change_xid = excluded.change_xid, version = excluded.version;
end;

create function record_removals() returns trigger language plpgsql as $$
begin
  if old.shown and (tg_op = 'DELETE' or not new.shown) then
    perform remove_listing(old.id, null);
  end if;
  -- A licensed import is nobody's to see, its agent included.
  if not old.imported and (tg_op = 'DELETE' or new.imported or new.agent_id <> old.agent_id) then
    perform remove_listing(old.id, old.agent_id);
  end if;
  return null;
end $$;
create trigger listings_removals after update or delete on listings
  for each row execute function record_removals();

-- Its rows were read by search alone, and nothing older than this migration follows the feed from before it.
drop trigger listings_deletion on listings;
drop function record_deletion();
drop table listing_deletions;

-- One row for each time from which transaction numbers may mean something else than before.
create table feed_histories (
  id integer generated always as identity primary key,
  token uuid not null default gen_random_uuid(),
  -- Which tables of which server.
  server text not null,
  -- For how long it has been running without having lost what was not yet on disk.
  run text not null,
  change_xid xid8 not null default pg_current_xact_id(),
  constraint feed_histories_once unique (server, run)
);

-- To be called before anything else is done after PostgreSQL has started: a number that was given out but not yet
-- written to disk is given out again. Statistics are reset by recovery, also where the postmaster outlived the crash.
create function enter_history() returns void language plpgsql as $$
declare
  here text := concat_ws('/', (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()), 'listings'::regclass::oid);
  since text := concat_ws('/', pg_postmaster_start_time(), (select stats_reset from pg_stat_bgwriter));
begin
  if not exists (select from feed_histories where server = here and run = since) then
    insert into feed_histories (server, run) values (here, since) on conflict do nothing;
  end if;
end $$;
