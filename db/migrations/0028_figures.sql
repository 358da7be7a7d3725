-- How often each listing was seen and asked about: counts per day and source, nothing about who.

create table listing_figures (
  listing_id uuid not null references listings (id) on delete cascade,
  -- In central Mexico, like 2026-11-15.
  day text not null,
  -- From where: our own pages, search engines, social networks, other sites, a collection, a widget.
  source text not null,
  views integer not null default 0,
  contacts integer not null default 0,
  favorites integer not null default 0,
  shares integer not null default 0,
  appearances integer not null default 0,
  primary key (listing_id, day, source)
);

-- The week of the last mail with these figures, and who wants none.
create table figure_mails (
  agent_id uuid primary key references agents (id),
  week text not null default '',
  is_stopped boolean not null default false
);
