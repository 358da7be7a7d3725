-- The portal: how agents sign in, how their licences are verified, and what the operator did.

alter table agents
  add column is_operator boolean not null default false,
  -- Null until the agent has opened the link of the first mail; nobody signs in before.
  add column email_confirmed_at timestamptz,
  add column license_authority text,
  -- What the agent says; the operator decides who belongs to an agency and who looks after its page.
  add column agency_wanted text,
  add column is_agency_admin boolean not null default false,
  add column bio text,
  add column languages text[] not null default '{}',
  -- Name of a file in the data folder's media.
  add column photo text;
update agents set email_confirmed_at = created_at;

alter table agencies
  add column phone text,
  add column website text,
  add column about text;

-- The cookie holds 256 random bits and this table their SHA-256: who reads the table cannot sign in with it.
create table sessions (
  hash bytea primary key check (length(hash) = 32),
  -- Names a session on the page that lists them, where its hash has no business.
  id uuid not null unique default gen_random_uuid(),
  agent_id uuid not null references agents on delete cascade,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  address text not null,
  browser text not null
);
create index sessions_agent on sessions (agent_id);
create index sessions_age on sessions (created_at);

-- Links in mails: each works once.
create table agent_tokens (
  hash bytea primary key check (length(hash) = 32),
  agent_id uuid not null references agents on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  expires_at timestamptz not null
);
create index agent_tokens_agent on agent_tokens (agent_id);

create table licence_requests (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents on delete cascade,
  state text not null,
  authority text not null,
  number text not null,
  -- Name of a file in the data folder's documents, and what it is.
  document text,
  document_type text check (document_type in ('application/pdf', 'image/webp')),
  status text not null default 'pending' check (status in ('pending', 'verified', 'refused')),
  reason text,
  created_at timestamptz not null default now_ms(),
  decided_at timestamptz,
  decided_by uuid references agents,
  constraint licence_requests_document check ((document is null) = (document_type is null)),
  constraint licence_requests_decision check ((status = 'pending') = (decided_at is null))
);
create unique index licence_requests_pending on licence_requests (agent_id) where status = 'pending';
create index licence_requests_agent on licence_requests (agent_id, created_at desc);

-- Every action of an operator, written in the transaction of what it tells of, and never changed.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now_ms(),
  operator_id uuid not null references agents,
  action text not null,
  -- What it was done to, as it was called then.
  subject text not null,
  subject_id text,
  note text
);
create index audit_log_newest on audit_log (at desc);
