-- Feeds: an agent's selection of public listings in a format that other systems read, at a private address.

create table feeds (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents (id),
  name text not null,
  format text not null check (format in ('json', 'ndjson', 'csv', 'rss', 'trovit', 'meta')),
  -- The agent's own, those of the agent's agency, or those of a collection.
  source text not null check (source in ('own', 'agency', 'collection')),
  collection_id uuid references collections (id) on delete cascade,
  -- The address is found by the hash; the sealed token is only for its owner to copy it again.
  token_hash bytea not null unique,
  token bytea not null,
  created_at timestamptz not null default now_ms(),
  -- The latest read.
  read_at timestamptz,
  read_client text,
  read_network text,
  constraint feeds_collection check ((source = 'collection') = (collection_id is not null))
);
create index feeds_agent on feeds (agent_id, created_at desc);
create index feeds_of_collection on feeds (collection_id) where collection_id is not null;
