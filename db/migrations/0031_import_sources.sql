-- Connections: a feed or another system whose listings are read every day.

create table import_sources (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents (id),
  kind text not null check (kind in ('feed', 'easybroker')),
  name text not null,
  -- Of a feed.
  url text,
  -- Of EasyBroker, sealed.
  key bytea,
  created_at timestamptz not null default now_ms(),
  -- The next daily read.
  next_at timestamptz not null default now_ms(),
  -- Whether the agent confirmed a first read: later ones need no confirmation.
  trusted boolean not null default false,
  constraint import_sources_place check (case kind when 'feed' then url is not null and key is null else key is not null and url is null end)
);
create index import_sources_agent on import_sources (agent_id, created_at desc);
create index import_sources_next on import_sources (next_at);

-- What each connection brought. What is missing from it was taken off the market, and returns when it does.
create table import_source_items (
  source_id uuid not null references import_sources (id) on delete cascade,
  external_id text not null,
  missing boolean not null default false,
  primary key (source_id, external_id)
);

alter table imports
  add column source_id uuid references import_sources (id) on delete set null,
  -- Whether what is missing from the connection is unpublished.
  add column unpublishes boolean not null default true;
create index imports_source on imports (source_id) where source_id is not null;

alter table import_rows drop constraint import_rows_result_check,
  add constraint import_rows_result_check check (result in ('created', 'changed', 'unchanged', 'refused', 'unpublished'));
