-- A lead keeps what its agent could see of the listing when it arrived. Another agent's listing may be hidden and
-- changed afterwards: then this is shown, and nothing newer.

alter table leads
  add column listing_title text,
  add column listing_slug text,
  add column listing_place text;

-- Where a showing is. The address is for the listing's own agent, unless that agent shows it to everybody.
create function place_for(listing listings, viewer uuid) returns text language sql immutable parallel safe
  return nullif(concat_ws(', ',
    case when listing.agent_id = viewer or listing.show_exact_address then listing.address end,
    listing.neighborhood, listing.city), '');

-- Who may see a listing as it is now: its agent, and everybody while it is public.
create function is_visible_to(listing listings, owner agents, viewer uuid) returns boolean
  language sql immutable parallel safe
  return listing.agent_id = viewer or is_public(listing, owner);

-- Whoever writes a lead: the form, the API, the demo.
create function keep_lead_listing() returns trigger language plpgsql as $$
begin
  select l.title, l.slug, place_for(l, new.agent_id)
    into new.listing_title, new.listing_slug, new.listing_place
  from listings l join agents o on o.id = l.agent_id
  where l.id = new.listing_id and is_visible_to(l, o, new.agent_id);
  return new;
end $$;
create trigger leads_keep_listing before insert or update of agent_id, listing_id on leads
  for each row execute function keep_lead_listing();

-- The listing of a lead, for the lead's agent and for the visitor who asked. The one definition, for every screen,
-- mail, file and answer.
create view lead_listings as
  select d.id as lead_id,
    l.agent_id = d.agent_id as is_own,
    is_public(l, o) as is_public,
    case when is_visible_to(l, o, d.agent_id) then l.title else d.listing_title end as title,
    case when is_visible_to(l, o, d.agent_id) then l.slug else d.listing_slug end as slug,
    case when is_visible_to(l, o, d.agent_id) then place_for(l, d.agent_id) else d.listing_place end as place,
    case when is_public(l, o) then l.title else d.listing_title end as public_title
  from leads d
  join listings l on l.id = d.listing_id
  join agents o on o.id = l.agent_id;

-- Leads that are here already. What was changed after a lead arrived had, then, the value before the first change since.
create function listing_at(listing listings, moment timestamptz) returns listings language sql stable
  return jsonb_populate_record(listing, (
    select coalesce(jsonb_object_agg(field, value), '{}')
    from (
      select distinct on (field) field, c.fields -> field -> 0 as value
      from listing_changes c, jsonb_object_keys(c.fields) field
      where c.listing_id = listing.id and c.at > moment
        and field in ('title', 'address', 'neighborhood', 'city', 'show_exact_address')
      order by field, c.id
    ) first_changes));

update leads d set
  listing_title = (listing_at(l, d.created_at)).title,
  listing_slug = l.slug,
  listing_place = place_for(listing_at(l, d.created_at), d.agent_id)
from listings l where l.id = d.listing_id;

drop function listing_at(listings, timestamptz);
