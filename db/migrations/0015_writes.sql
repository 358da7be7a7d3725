-- What clients that write need (docs/decisions/0014-idempotency.md): answers to send again, and the ids of images.

-- Answers to requests that had an Idempotency-Key, for a day.
create table kept_answers (
  agent_id uuid not null references agents (id) on delete cascade,
  -- SHA-256 of the key.
  key bytea not null check (length(key) = 32),
  -- 0 is the answer. The items of a batch count from 1, and are here only until there is an answer.
  part integer not null check (part >= 0),
  -- SHA-256 of what was asked.
  request bytea not null check (length(request) = 32),
  status integer not null,
  headers json not null,
  body text not null,
  -- The lead that the answer shows, so that it can be erased here too.
  lead_id uuid,
  at timestamptz not null default now_ms(),
  primary key (agent_id, key, part)
);
create index kept_answers_age on kept_answers (at);
create index kept_answers_lead on kept_answers (lead_id) where lead_id is not null;

-- Records now show the ids of images: copies made before must be recognized as different.
update listings l set version = random_version()
where exists (select from listing_images i where i.listing_id = l.id);
