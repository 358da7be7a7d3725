-- Showings are in the time zone of their listing.
create or replace view lead_listings as
select d.id as lead_id, l.agent_id = d.agent_id as is_own, is_public(l.*, o.*) as is_public,
  case when is_visible_to(l.*, o.*, d.agent_id) then l.title else d.listing_title end as title,
  case when is_visible_to(l.*, o.*, d.agent_id) then l.slug else d.listing_slug end as slug,
  case when is_visible_to(l.*, o.*, d.agent_id) then place_for(l.*, d.agent_id) else d.listing_place end as place,
  case when is_public(l.*, o.*) then l.title else d.listing_title end as public_title,
  json_build_object('state', l.state, 'city', l.city, 'municipality', l.municipality) as whereabouts
from leads d join listings l on l.id = d.listing_id join agents o on o.id = l.agent_id;
