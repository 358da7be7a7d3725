-- What agents look for on behalf of their clients, and the listings that match.

create table needs (
  id uuid primary key default gen_random_uuid(),
  agent_id uuid not null references agents (id),
  -- For the agent alone, never on the board.
  client text,
  note text,
  -- The filters as parameters of a search in the market; a listing in any of the places matches.
  query text not null,
  places text[] not null default '{}',
  on_board boolean not null default false,
  notices text not null default 'daily' check (notices in ('at_once', 'daily', 'none')),
  until timestamptz not null,
  closed_at timestamptz,
  -- When it was held against the whole market; null if that is still to be done.
  held_at timestamptz,
  created_at timestamptz not null default now_ms(),
  updated_at timestamptz not null default now_ms(),
  change_xid xid8 not null default pg_current_xact_id()
);
create index needs_agent on needs (agent_id, created_at desc) where closed_at is null;
create index needs_board on needs (created_at desc) where on_board and closed_at is null;
create index needs_changed on needs (change_xid);

create function stamp_need() returns trigger language plpgsql as $$
begin
  new.change_xid := pg_current_xact_id();
  return new;
end $$;
create trigger needs_stamp before update on needs for each row execute function stamp_need();

create table need_matches (
  need_id uuid not null references needs (id) on delete cascade,
  listing_id uuid not null references listings (id) on delete cascade,
  matched_at timestamptz not null default now_ms(),
  -- The listing's last price cut when it last matched: a later one brings a dismissed match back.
  lowered_at timestamptz,
  is_current boolean not null default true,
  dismissed_at timestamptz,
  announced_at timestamptz,
  primary key (need_id, listing_id)
);
create index need_matches_listing on need_matches (listing_id);
create index need_matches_waiting on need_matches (need_id) where announced_at is null;

-- Up to where the changes of listings were held against the needs. Every writer of matches updates it: one after the other.
create table need_position (
  id boolean primary key default true check (id),
  history text not null default '',
  snapshot text not null default '',
  holds bigint not null default 0
);
insert into need_position default values;

-- The last day with a daily mail: one a day per agent.
create table need_digests (
  agent_id uuid primary key references agents (id),
  day text not null
);
