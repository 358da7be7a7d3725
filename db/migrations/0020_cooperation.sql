-- Cooperation between two agents about a listing: one proposes for a client, the other answers.

create table cooperations (
  id uuid primary key default gen_random_uuid(),
  listing_id uuid not null references listings (id),
  proposer_id uuid not null references agents (id),
  owner_id uuid not null references agents (id),
  state text not null default 'proposed' check (state in
    ('proposed', 'accepted', 'showing', 'offer', 'closed', 'declined', 'withdrawn', 'lost', 'expired')),
  -- Whose answer to the split is awaited, and since when.
  awaited text check (awaited in ('proposer', 'owner')),
  awaited_since timestamptz not null default now_ms(),
  -- Initials: the name and the contact stay in the proposer's lead.
  client text not null,
  lead_id uuid references leads (id),
  wish text,
  split text not null,
  client_shared_at timestamptz,
  showing_at timestamptz,
  disputed_at timestamptz,
  created_at timestamptz not null default now_ms(),
  updated_at timestamptz not null default now_ms(),
  constraint cooperations_two check (proposer_id <> owner_id),
  constraint cooperations_awaited check ((state = 'proposed') = (awaited is not null))
);
create index cooperations_proposer on cooperations (proposer_id, updated_at desc);
create index cooperations_owner on cooperations (owner_id, updated_at desc);
create index cooperations_listing on cooperations (listing_id);
create index cooperations_lead on cooperations (lead_id);
create index cooperations_waiting on cooperations (awaited_since) where state = 'proposed';
create index cooperations_disputed on cooperations (disputed_at) where disputed_at is not null;

create table cooperation_entries (
  id bigint generated always as identity primary key,
  cooperation_id uuid not null references cooperations (id),
  at timestamptz not null default now_ms(),
  -- Null: the system.
  agent_id uuid references agents (id),
  kind text not null check (kind in ('propose', 'accept', 'counter', 'decline', 'withdraw', 'expire', 'message', 'file',
    'attach', 'identify', 'share', 'showing', 'offer', 'close', 'lose', 'dispute', 'resolve')),
  text text,
  split text,
  showing_at timestamptz,
  file text,
  constraint cooperation_entries_file check ((kind = 'file') = (file is not null))
);
create index cooperation_entries_thread on cooperation_entries (cooperation_id, id);
create index cooperation_entries_upload on cooperation_entries (upload_id(file)) where file is not null;

-- Both sides rely on the thread: what is written stays as it is.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of a cooperation are never changed';
end $$;
create trigger cooperation_entries_kept before update or delete on cooperation_entries
  for each row execute function refuse_change();

create or replace view upload_uses as
  select upload_id(a.photo) as id, a.id as agent_id, null::uuid as listing_id from agents a where a.photo is not null
  union all
  select upload_id(r.document), r.agent_id, null from licence_requests r where r.document is not null
  union all
  select upload_id(g.logo_url), null, null from agencies g where g.logo_url is not null
  union all
  select upload_id(i.url), l.agent_id, l.id
  from listing_images i join listings l on l.id = i.listing_id where i.kind = 'upload'
  union all
  select upload_id(e.file), e.agent_id, null from cooperation_entries e where e.file is not null;

-- Both agents of a cooperation get the event of a step, with the same time.
alter table outbox drop constraint outbox_identity,
  add constraint outbox_identity unique (event, subject_id, created_at, agent_id);
alter table outbox drop constraint outbox_event_check,
  add constraint outbox_event_check check (event in ('lead.created', 'lead.updated', 'listing.published',
    'listing.unpublished', 'listing.updated', 'cooperation.created', 'cooperation.updated'));
alter table webhooks drop constraint webhooks_events_check,
  add constraint webhooks_events_check check (events <> '{}' and events <@ '{lead.created,lead.updated,listing.published,listing.unpublished,listing.updated,cooperation.created,cooperation.updated}');
