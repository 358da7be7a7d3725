-- A person's right to be erased reaches the thread of a cooperation; the mail that announced a match is known.

-- What was removed keeps the hash of the whole entry, so that the hash of the thread stays what it was.
alter table cooperation_entries
  add column removed_at timestamptz,
  add column digest text,
  drop constraint cooperation_entries_file,
  add constraint cooperation_entries_file check ((kind = 'file' and removed_at is null) = (file is not null)),
  add constraint cooperation_entries_removed check
    ((removed_at is null) = (digest is null) and (removed_at is null or text is null and file is null));

-- Still never changed, except that a text or a file is removed, once.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.removed_at is null and new.removed_at is not null
    and (new.id, new.cooperation_id, new.at, new.kind) = (old.id, old.cooperation_id, old.at, old.kind)
    and (new.agent_id, new.split, new.showing_at) is not distinct from (old.agent_id, old.split, old.showing_at)
  then return new;
  end if;
  raise exception 'entries of a cooperation are never changed';
end $$;

-- The job that wrote the mail: repeated after a crash, it writes the same mail, with the same Message-ID.
alter table need_matches add column mail_id text;
create index need_matches_mail on need_matches (mail_id) where mail_id is not null;
