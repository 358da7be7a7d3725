-- The change feed: each API process follows it to keep its search index equal to the tables.
-- Each listing carries the id of the transaction that last changed anything search or a public record can see.
-- A reader that remembers the snapshot of its last read then knows exactly which rows are new to it,
-- whatever order transactions commit in (docs/decisions/0005-change-feed.md).

alter table listings add column change_xid xid8 not null default pg_current_xact_id();
create index listings_change on listings (change_xid);

create function stamp_listing() returns trigger language plpgsql as $$
begin
  -- A listing and a change of its agent must not pass each other unseen: the lock makes one wait for the other.
  -- (An update needs none: the re-stamping below waits for the row itself.)
  if tg_op = 'INSERT' or new.agent_id is distinct from old.agent_id then
    perform from agents where id = new.agent_id for share;
    perform from agencies where id = (select agency_id from agents where id = new.agent_id) for share;
  end if;
  new.change_xid := pg_current_xact_id();
  return new;
end $$;
create trigger listings_stamp before insert or update on listings for each row execute function stamp_listing();

create function lock_agency() returns trigger language plpgsql as $$
begin
  perform from agencies where id = new.agency_id for share;
  return new;
end $$;
create trigger agents_lock_agency before insert or update of agency_id on agents
  for each row execute function lock_agency();

-- What a listing shows of its agent and agency. Their names are also in listings.search, as of the listing's
-- last write: whoever adds a way to rename them has to write those listings anew.
create function stamp_listings_of_agent() returns trigger language plpgsql as $$
begin
  update listings set change_xid = pg_current_xact_id()
  where agent_id = new.id and change_xid <> pg_current_xact_id();
  return null;
end $$;
create trigger agents_stamp after update on agents for each row
  when ((old.name, old.slug, old.phone, old.agency_id, old.verified_at, old.is_test)
    is distinct from (new.name, new.slug, new.phone, new.agency_id, new.verified_at, new.is_test))
  execute function stamp_listings_of_agent();

create function stamp_listings_of_agency() returns trigger language plpgsql as $$
begin
  update listings l set change_xid = pg_current_xact_id()
  from agents a
  where a.agency_id = new.id and l.agent_id = a.id and l.change_xid <> pg_current_xact_id();
  return null;
end $$;
create trigger agencies_stamp after update on agencies for each row
  when ((old.name, old.slug, old.logo_url, old.active)
    is distinct from (new.name, new.slug, new.logo_url, new.active))
  execute function stamp_listings_of_agency();

create function stamp_listing_of_image() returns trigger language plpgsql as $$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (old.listing_id, new.listing_id) and change_xid <> pg_current_xact_id();
  return null;
end $$;
create trigger listing_images_stamp after insert or update or delete on listing_images
  for each row execute function stamp_listing_of_image();

-- The exchange keeps every listing; this is for the operator who has to erase one.
create table listing_deletions (
  id uuid not null,
  change_xid xid8 not null default pg_current_xact_id()
);
create index listing_deletions_change on listing_deletions (change_xid);

create function record_deletion() returns trigger language plpgsql as $$
begin
  insert into listing_deletions (id) values (old.id);
  return null;
end $$;
create trigger listings_deletion after delete on listings for each row execute function record_deletion();

-- Only the wake-up: a reader that misses it looks by itself a moment later.
create function announce_listing_changes() returns trigger language plpgsql as $$
begin
  notify listing_changes;
  return null;
end $$;
create trigger listings_announce after insert or update or delete on listings
  for each statement execute function announce_listing_changes();
