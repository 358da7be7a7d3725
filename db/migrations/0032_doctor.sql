-- The data doctor: what looks wrong about a listing, found in the background and shown to its agent.

create table findings (
  listing_id uuid not null references listings (id) on delete cascade,
  kind text not null check (kind in ('price_per_m2', 'outside_state', 'outside_city', 'same_photos', 'same_house',
    'sale_like_rent', 'capitals', 'contact')),
  -- Of duplicates, the other listing.
  other_id uuid references listings (id) on delete cascade,
  -- The figures the words are made of; a finding with other figures is a new one.
  detail jsonb not null default '{}',
  found_at timestamptz not null default now_ms(),
  dismissed_at timestamptz,
  unique nulls not distinct (listing_id, kind, other_id)
);
create index findings_other on findings (other_id) where other_id is not null;
create index findings_duplicates on findings (found_at desc) where other_id is not null and dismissed_at is null;

-- What is usual, once a day from the whole market: without a neighborhood, of the city.
create table price_levels (
  state text not null,
  city_fold text not null,
  neighborhood_fold text not null,
  property_type text not null,
  operation text not null,
  currency text not null,
  median double precision not null,
  primary key (state, city_fold, neighborhood_fold, property_type, operation, currency)
);
create table city_centers (
  state text not null,
  city_fold text not null,
  lat double precision not null,
  lng double precision not null,
  primary key (state, city_fold)
);

-- How far the changes of listings have been examined. One row.
create table doctor_position (
  is_only boolean primary key default true check (is_only),
  change_xid xid8 not null default '0',
  listing_id uuid not null default '00000000-0000-0000-0000-000000000000',
  levels_at timestamptz
);
insert into doctor_position default values;

-- Cells of about 220 m, to find the same house without comparing every pair.
create index listings_cell on listings (floor(lat * 500), floor(lng * 500)) where status = 'published' and lat is not null;
create index listing_images_same on listing_images using hash (url);
-- One transaction may change very many listings: they are examined in batches, in this order.
drop index listings_change;
create index listings_change on listings (change_xid, id);
