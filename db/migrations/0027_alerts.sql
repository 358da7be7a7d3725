-- Visitors' alerts: a search of the public site that is kept for a mail address, and the listings it announced.

create table alerts (
  id uuid primary key default gen_random_uuid(),
  -- Null once it was stopped: then nothing is kept of the person, and the row is soon deleted.
  email text,
  lang text not null check (lang in ('es', 'en')),
  -- The filters as parameters of a search.
  query text not null,
  pace text not null check (pace in ('at_once', 'daily')),
  consent_at timestamptz not null,
  consent_notice text not null,
  created_at timestamptz not null default now_ms(),
  -- Until its link was used, it announces nothing.
  confirmed_at timestamptz,
  -- When its page was last used; a year later the person is asked whether it should go on.
  used_at timestamptz,
  warned_at timestamptz,
  stopped_at timestamptz,
  -- A mail was requested that has not begun to be written.
  is_waiting boolean not null default false,
  mailed_at timestamptz,
  change_xid xid8 not null default pg_current_xact_id(),
  constraint alerts_stopped check ((email is null) = (stopped_at is not null))
);
create unique index alerts_search on alerts (mailbox_of(email), query) where stopped_at is null;
create index alerts_changed on alerts (change_xid);

-- Only what the matching has to know: mails sent do not count as changes.
create function stamp_alert() returns trigger language plpgsql as $$
begin
  new.change_xid := pg_current_xact_id();
  return new;
end $$;
create trigger alerts_stamp before update of query, confirmed_at, stopped_at on alerts
  for each row execute function stamp_alert();

create table alert_matches (
  alert_id uuid not null references alerts (id) on delete cascade,
  listing_id uuid not null references listings (id) on delete cascade,
  matched_at timestamptz not null default now_ms(),
  -- The job whose mail names it: a job that is repeated writes the same mail.
  mail bigint,
  primary key (alert_id, listing_id)
);
create index alert_matches_listing on alert_matches (listing_id);
create index alert_matches_waiting on alert_matches (alert_id) where mail is null;
