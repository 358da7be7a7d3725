-- An agent and the agency change at the same moment: both stamp the agent's listings, and must take them in one order,
-- or each could wait for what the other holds.

create or replace function stamp_listings_of_agent() returns trigger language plpgsql as $$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (
    select id from listings
    where agent_id = new.id and change_xid <> pg_current_xact_id()
    order by id for no key update);
  return null;
end $$;

create or replace function stamp_listings_of_agency() returns trigger language plpgsql as $$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (
    select l.id from listings l join agents a on a.id = l.agent_id
    where a.agency_id = new.id and l.change_xid <> pg_current_xact_id()
    order by l.id for no key update of l);
  return null;
end $$;
