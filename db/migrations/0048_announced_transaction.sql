-- With the transaction, so that a reader that has already seen it does not read again.
create or replace function announce_listing_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('listing_changes', pg_current_xact_id()::text);
  return null;
end $$;
