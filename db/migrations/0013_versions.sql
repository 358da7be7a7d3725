-- A listing's version: a random number that changes with anything a record of it shows, so that two copies of a listing
-- are equal exactly when their versions are (docs/decisions/0013-sync.md). Random and not counted: a database that was
-- restored to an earlier state counts again from there, and would give another state a version that was already used.

create function random_version() returns bigint language sql volatile
  return hashtextextended(gen_random_uuid()::text, 0);

alter table listings add column version bigint not null default random_version();

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
  return new;
end $$;
