-- What visitors send: inquiries with consent, showings with identification, collections, widgets, the calendar.

alter table leads
  -- When the visitor agreed to the privacy notice, and to which edition of it. Null for leads sent by API.
  add column consent_at timestamptz,
  add column consent_notice text,
  add constraint leads_consent check ((consent_at is null) = (consent_notice is null));

-- Showings on the agent's calendar.
create index leads_showings on leads (agent_id, showing_at) where showing_at is not null;

-- A form sent twice makes one lead. Rows are only needed for as long as a form may be sent.
create table form_uses (
  hash bytea primary key check (length(hash) = 32),
  lead_id uuid not null references leads on delete cascade,
  used_at timestamptz not null default now_ms()
);
create index form_uses_age on form_uses (used_at);
create index form_uses_lead on form_uses (lead_id);

create table identifications (
  lead_id uuid primary key references leads on delete cascade,
  -- Of the link in the latest mail, which works while the status is 'asked'; null before the first mail.
  token_hash bytea unique check (length(token_hash) = 32),
  token_expires_at timestamptz,
  -- Name, kind and number of the document, and its picture, sealed with a key that is not in this database.
  details bytea,
  picture bytea,
  submitted_at timestamptz,
  status text not null default 'asked' check (status in ('asked', 'submitted', 'verified', 'refused')),
  reason text,
  decided_at timestamptz,
  -- The agent or an operator.
  decided_by uuid references agents,
  erased_at timestamptz,
  created_at timestamptz not null default now_ms(),
  constraint identifications_link check ((token_hash is null) = (token_expires_at is null)),
  constraint identifications_parts check ((details is null) = (picture is null)),
  constraint identifications_submitted check (status = 'asked' or submitted_at is not null),
  constraint identifications_decision check ((status in ('verified', 'refused')) = (decided_at is not null)),
  constraint identifications_erased check (erased_at is null or details is null)
);
create index identifications_waiting on identifications (submitted_at) where status = 'submitted';
create index identifications_sealed on identifications (lead_id) where details is not null;

create table collections (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  -- The end of the address that is shared; not a secret of the exchange, but not to be guessed either.
  token text not null unique check (length(token) >= 20),
  title text not null,
  message text,
  lang text not null default 'es' check (lang in ('es', 'en')),
  active boolean not null default true,
  created_at timestamptz not null default now_ms(),
  updated_at timestamptz not null default now_ms()
);
create index collections_agent on collections (agent_id, created_at desc);

create table collection_listings (
  collection_id uuid not null references collections on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  position integer not null,
  primary key (collection_id, listing_id),
  constraint collection_listings_position unique (collection_id, position) deferrable initially deferred
);
create index collection_listings_listing on collection_listings (listing_id);

create table widgets (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents,
  name text not null,
  kind text not null check (kind in ('listings', 'inquiry')),
  -- Hosts whose pages may show it, such as www.example.com; subdomains are named one by one.
  domains text[] not null check (domains <> '{}'),
  lang text not null default 'es' check (lang in ('es', 'en')),
  active boolean not null default true,
  -- By the operator, for good.
  revoked_at timestamptz,
  created_at timestamptz not null default now_ms()
);
create index widgets_agent on widgets (agent_id, created_at desc);

-- The end of the private address of an agent's calendar; a new one makes the old address unknown. Kept as it is:
-- who reads this table reads the showings beside it.
alter table agents add column calendar_key uuid not null unique default gen_random_uuid();
