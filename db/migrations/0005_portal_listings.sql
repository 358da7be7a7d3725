-- What the portal keeps about listings and leads: who changed what, words for photos, notes, and erased people.

-- Written in the transaction of the change it tells of, and never changed afterwards.
create table listing_changes (
  id bigint generated always as identity primary key,
  listing_id uuid not null references listings on delete cascade,
  at timestamptz not null default now_ms(),
  via text not null check (via in ('api', 'portal', 'operator', 'system')),
  -- Null when nobody of the exchange did it: the system, or the operator at the command line.
  agent_id uuid references agents,
  action text not null check (action in ('create', 'edit', 'photos', 'publish', 'reconfirm', 'unpublish',
    'withdraw', 'sell', 'rent', 'expire', 'suspend')),
  -- For edits: each changed field with its value before and after.
  fields jsonb not null default '{}'
);
create index listing_changes_newest on listing_changes (listing_id, id desc);

alter table listing_images add column alt text;

create table lead_notes (
  id uuid primary key default gen_random_uuid(),
  lead_id uuid not null references leads on delete cascade,
  at timestamptz not null default now_ms(),
  text text not null
);
create index lead_notes_lead on lead_notes (lead_id, at desc);

-- When the person's data was erased at the person's request; the row stays, so that the counts stay true.
alter table leads add column erased_at timestamptz;
