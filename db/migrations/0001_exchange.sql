-- The exchange: agencies, agents, keys, listings, images, leads and the outbox.
-- The closed lists of the API (types, statuses, currencies …) are checked here too,
-- so that no writer, however it came in, can store a record the API could not describe.

-- Timestamps carry milliseconds and no more: what is stored is exactly what a client reads and sends back.
create function now_ms() returns timestamptz language sql volatile
  return date_trunc('milliseconds', clock_timestamp());

-- The stamp of a change: never equal to or before the last one of the same row, whatever the clock does.
create function next_stamp(previous timestamptz) returns timestamptz language sql volatile
  return greatest(now_ms(), previous + interval '1 millisecond');

-- Lexemes of plain lower-case words in both orders, stem then fold and fold then stem:
-- either one alone loses words (habitación/habitaciones, lavandería typed without accents).
-- `folded` is the same text without accents. translate() and not unaccent(): the text form of a tsvector
-- must keep its quotes, and no letter may become one.
create function stems(words text, folded text) returns tsvector language sql immutable parallel safe
  return translate(
    to_tsvector('pg_catalog.spanish', words)::text,
    'áàâäãåéèêëíìîïóòôöõúùûüñçýÿ',
    'aaaaaaeeeeiiiiooooouuuuncyy'
  )::tsvector || to_tsvector('pg_catalog.spanish', folded);

create table settings (
  name text primary key,
  value text not null
);

-- Keys the jitter of public coordinates. It lives beside the exact coordinates it hides and is never shown.
insert into settings (name, value)
values ('public_point_key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

create table agencies (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  name_fold text not null,
  slug text not null unique,
  logo_url text,
  active boolean not null default true,
  created_at timestamptz not null default now_ms()
);

create table agents (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  name_fold text not null,
  slug text not null unique,
  phone text,
  agency_id uuid references agencies,
  license_number text,
  license_state text,
  verified_at timestamptz,
  in_directory boolean not null default true,
  is_test boolean not null default false,
  lang text not null default 'es' check (lang in ('es', 'en')),
  password_hash text,
  created_at timestamptz not null default now_ms()
);
create unique index agents_email on agents (lower(email));
create index agents_agency on agents (agency_id);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  label text not null,
  prefix text not null unique check (prefix ~ '^[0-9A-Za-z]{8}$'),
  hash bytea not null check (length(hash) = 32),
  scopes text[] not null check (scopes in ('{read}', '{read,write}', '{partner}')),
  created_at timestamptz not null default now_ms(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_agent on api_keys (agent_id);

create table listings (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  slug text not null unique,
  status text not null default 'draft'
    check (status in ('draft', 'published', 'withdrawn', 'sold', 'rented', 'expired', 'suspended')),
  featured boolean not null default false,
  imported boolean not null default false,

  title text not null,
  description text,
  title_en text,
  description_en text,
  property_type text not null default 'other' check (property_type in
    ('house', 'apartment', 'land', 'office', 'commercial', 'warehouse', 'ranch', 'building', 'other')),
  sale_price numeric(14, 2) check (sale_price > 0),
  sale_currency text check (sale_currency in ('MXN', 'USD')),
  rent_price numeric(14, 2) check (rent_price > 0),
  rent_currency text check (rent_currency in ('MXN', 'USD')),
  rent_period text check (rent_period in ('monthly', 'weekly', 'daily', 'yearly')),
  bedrooms integer,
  bathrooms numeric(5, 2),
  half_bathrooms integer,
  parking integer,
  construction_m2 numeric(11, 2),
  lot_m2 numeric(11, 2),
  year_built integer,
  floors integer,
  features text[] not null default '{}',
  address text,
  neighborhood text,
  city text not null,
  municipality text,
  state text not null,
  postal_code text,
  lat double precision,
  lng double precision,
  show_exact_address boolean not null default false,
  idx_opt_out boolean not null default false,
  video_url text,
  virtual_tour_url text,
  exclusive boolean not null default false,
  shared_commission text,
  internal_id text,
  external_id text,

  -- Derived by listings/rules.ts at each write; every search reads these and never the private columns.
  public_lat double precision,
  public_lng double precision,
  city_fold text not null,
  neighborhood_fold text,
  title_fold text not null,
  search tsvector not null,

  created_at timestamptz not null default now_ms(),
  updated_at timestamptz not null default now_ms(),
  published_at timestamptz,
  confirmed_at timestamptz,

  constraint listings_sale check ((sale_price is null) = (sale_currency is null)),
  constraint listings_rent check
    ((rent_price is null) = (rent_currency is null) and (rent_price is null) = (rent_period is null)),
  constraint listings_point check ((lat is null) = (lng is null)),
  constraint listings_public_point check ((public_lat is null) = (lat is null) and (public_lng is null) = (lng is null))
);
-- A caller's own identifier names one listing of that caller, whatever its status.
create unique index listings_external_id on listings (agent_id, external_id);
create index listings_agent on listings (agent_id, updated_at desc);
create index listings_newest on listings (featured desc, coalesce(published_at, created_at) desc, id)
  where status = 'published';
create index listings_updated on listings (updated_at);
create index listings_place on listings (state, city) where status = 'published';
create index listings_search on listings using gin (search);
create index listings_features on listings using gin (features);

-- Who and what may be shown to everybody: the one definition, used by search, single reads, counts and lookups alike.
create function is_public(agent agents) returns boolean language sql immutable parallel safe
  return agent.verified_at is not null and not agent.is_test;

-- An agency that nobody but test accounts belongs to is a test itself.
create function is_only_for_tests(agency agencies) returns boolean language sql stable parallel safe
  return (select coalesce(bool_and(a.is_test), false) from agents a where a.agency_id = agency.id);

create function is_public(listing listings, agent agents) returns boolean language sql immutable parallel safe
  return listing.status = 'published' and not listing.idx_opt_out and not listing.imported
    and is_public(agent);

create table listing_images (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings,
  -- The image at the lowest position is the cover.
  position integer not null,
  kind text not null default 'url' check (kind in ('url', 'upload')),
  url text not null,
  thumb text not null,
  constraint listing_images_position unique (listing_id, position) deferrable initially deferred,
  constraint listing_images_url unique (listing_id, url)
);

create table leads (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  listing_id uuid references listings,
  name text not null,
  email text,
  phone text,
  phone_e164 text,
  message text,
  source text not null,
  status text not null default 'new'
    check (status in ('new', 'contacted', 'qualified', 'showing', 'negotiation', 'won', 'lost')),
  kind text not null default 'info' check (kind in ('info', 'tour')),
  lang text not null default 'es' check (lang in ('es', 'en')),
  interest text check (interest in ('sale', 'rental')),
  budget_min numeric(14, 2),
  budget_max numeric(14, 2),
  follow_up_at timestamptz,
  tour_at timestamptz,
  tour_status text check (tour_status in ('requested', 'confirmed', 'done', 'cancelled', 'no_show')),
  showing_at timestamptz,
  id_status text check (id_status in ('verified', 'pending')),
  awaiting_id boolean not null default false,
  created_at timestamptz not null default now_ms(),
  updated_at timestamptz not null default now_ms()
);
create index leads_newest on leads (agent_id, created_at desc, id desc);
create index leads_listing on leads (listing_id);

-- Events, written in the transaction of the change they tell of. `subject_id` is `data.id`;
-- with the event's name and its time it identifies the event for receivers.
create table outbox (
  id bigint generated always as identity primary key,
  agent_id uuid not null references agents,
  event text not null check (event in
    ('lead.created', 'lead.updated', 'listing.published', 'listing.unpublished', 'listing.updated')),
  subject_id uuid not null,
  -- json and not jsonb: receivers get the keys in the documented order.
  data json not null,
  -- Who hears of it: the agent's webhooks, the agent's mailbox, or both.
  channels text[] not null check (channels <@ '{webhook,notice}' and channels <> '{}'),
  created_at timestamptz not null,
  constraint outbox_identity unique (event, subject_id, created_at)
);
