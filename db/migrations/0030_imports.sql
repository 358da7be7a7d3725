-- Imports: an agent's inventory from a spreadsheet, checked row by row before anything is written, and undone as a whole.

create table imports (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents (id),
  -- Of the file, on the agent's device.
  name text not null,
  -- In storage, until its rows are read.
  file text,
  phase text not null check (phase in
    ('reading', 'columns', 'checking', 'ready', 'running', 'done', 'undoing', 'undone', 'failed', 'canceled')),
  -- The header of each column and the field it fills.
  columns jsonb not null default '[]',
  -- Whether new listings are published or drafts.
  publishes boolean not null default true,
  total integer not null default 0,
  -- The number of the last row that the phase is done with.
  position integer not null default 0,
  -- How many rows have each result.
  counts jsonb not null default '{}',
  -- Why it failed.
  issues jsonb not null default '[]',
  created_at timestamptz not null default now_ms(),
  finished_at timestamptz
);
create index imports_agent on imports (agent_id, created_at desc);
-- One at a time for each agent.
create unique index imports_working on imports (agent_id) where phase in ('reading', 'checking', 'running', 'undoing');
create index imports_finished on imports (finished_at) where finished_at is not null;

create table import_rows (
  import_id uuid not null references imports (id) on delete cascade,
  -- As in the file, where the header may be row 1.
  number integer not null,
  cells jsonb not null,
  external_id text,
  result text check (result in ('created', 'changed', 'unchanged', 'refused')),
  issues jsonb not null default '[]',
  notes jsonb not null default '[]',
  listing_id uuid,
  -- The listing as it was; null if it was created.
  before jsonb,
  -- When the row wrote it: a later change of the listing is not undone.
  after timestamptz,
  undone boolean,
  primary key (import_id, number)
);
create index import_rows_result on import_rows (import_id, result, number);
create index import_rows_name on import_rows (import_id, external_id, number) where external_id is not null;

-- What an agent chose for the headers of earlier files.
create table import_memories (
  agent_id uuid primary key references agents (id),
  columns jsonb not null
);

create or replace function upload_id(file text) returns text
  language sql immutable parallel safe
  return substring(file, '([0-9a-f]{32})(?:-[a-z]+)?\.(?:webp|pdf|table)$');

create or replace view upload_uses as
  select upload_id(a.photo) as id, a.id as agent_id, null::uuid as listing_id from agents a where a.photo is not null
  union all
  select upload_id(r.document), r.agent_id, null from licence_requests r where r.document is not null
  union all
  select upload_id(g.logo_url), null, null from agencies g where g.logo_url is not null
  union all
  select upload_id(i.url), l.agent_id, l.id from listing_images i join listings l on l.id = i.listing_id
  where i.kind = 'upload'
  union all
  select upload_id(e.file), e.agent_id, null from cooperation_entries e where e.file is not null
  union all
  select upload_id(m.file), m.agent_id, null from imports m where m.file is not null;
