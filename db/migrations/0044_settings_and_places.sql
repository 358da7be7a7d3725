-- Settings that operators change while Lonja runs (limits, the privacy notice), one row for each change: the latest row of
-- a name is in force, the others are its history. And the postal codes of an imported file, to place a listing on the map.

create table setting_changes (
  id bigint generated always as identity primary key,
  name text not null check (name in
    ('rate_limit', 'forms_per_address', 'upload_files', 'upload_mb', 'upload_unverified_mb', 'privacy_notice')),
  -- Null: the default is in force again.
  value json,
  changed_at timestamptz not null default now_ms(),
  -- Null: from the command line.
  operator_id uuid references agents (id)
);
create index setting_changes_latest on setting_changes (name, id desc);

create table postal_places (
  postal_code text not null check (postal_code ~ '^[0-9]{5}$'),
  state text not null,
  -- Without accents, in lower case.
  municipality_fold text not null,
  city_fold text not null,
  name_fold text not null,
  lat double precision not null,
  lng double precision not null
);
create index postal_places_code on postal_places (postal_code);
create index postal_places_name on postal_places (state, name_fold);

-- The middle of a neighborhood is that of its listings.
create index listings_neighborhood on listings (state, neighborhood_fold, city_fold) where status = 'published';
