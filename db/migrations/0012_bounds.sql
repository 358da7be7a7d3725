-- Bounds on what people can make the exchange keep and send, and what the operator needs to find and erase a person.

-- ---- files

-- What people uploaded, one row however many sizes a picture has; the names of its files begin with the id.
create table uploads (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  bytes bigint not null check (bytes >= 0),
  stored_at timestamptz not null default now_ms()
);

-- Of the name, the path or the address of a file.
create function upload_id(file text) returns text language sql immutable parallel safe
  return substring(file from '([0-9a-f]{32})(?:-[a-z]+)?\.(?:webp|pdf)$');

create index listing_images_upload on listing_images (upload_id(url)) where kind = 'upload';

-- Everything that refers to an upload; what is not here is removed. It counts for the agent, and an agency's logo for nobody.
create view upload_uses as
  select upload_id(a.photo) as id, a.id as agent_id, null::uuid as listing_id
    from agents a where a.photo is not null
  union all
  select upload_id(r.document), r.agent_id, null from licence_requests r where r.document is not null
  union all
  select upload_id(g.logo_url), null, null from agencies g where g.logo_url is not null
  union all
  select upload_id(i.url), l.agent_id, l.id
    from listing_images i join listings l on l.id = i.listing_id where i.kind = 'upload';

-- ---- letters

-- Letters sent on a stranger's word, so that nobody's mailbox is filled by others. Kept for a day, by hash.
create table letters (
  recipient bytea not null check (length(recipient) = 32),
  -- Whether the address was proven to be that of an account.
  is_known boolean not null,
  at timestamptz not null
);
create index letters_recipient on letters (recipient, at);
create index letters_age on letters (at);

-- The showing that the visitor was last told of, and when: moving it again and again is told once.
alter table leads
  add column told_showing_at timestamptz,
  add column told_at timestamptz,
  add constraint leads_told check ((told_showing_at is null) = (told_at is null));
update leads set told_showing_at = showing_at, told_at = updated_at
where tour_status = 'confirmed' and showing_at is not null and consent_at is not null and email is not null;

-- ---- a person's rights to their data

-- What tells one mailbox from another: `ana+anything@` arrives at `ana@`.
create function mailbox_of(email text) returns text language sql immutable parallel safe
  return regexp_replace(lower(email), '\+[^@]*@', '@');
create index leads_mailbox on leads (mailbox_of(email)) where email is not null;
create index leads_phone on leads (phone_e164) where phone_e164 is not null;

-- Null where it was done at the command line.
alter table audit_log alter column operator_id drop not null;

-- ---- who may be seen

create function is_public(agency agencies) returns boolean language sql stable parallel safe
  return agency.active and not is_only_for_tests(agency);
