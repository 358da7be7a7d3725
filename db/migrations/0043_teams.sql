-- Teams of an agency: invitations by mail, assistants who work in the name of one agent, leads handed to a colleague.

-- Counts only while both are in the same agency and the assistant has no license (src/portal/sessions.ts).
alter table agents add column assists_id uuid references agents (id),
  add constraint agents_assistant check (assists_id is null or assists_id <> id and not is_agency_admin);
create index agents_assistants on agents (assists_id) where assists_id is not null;

-- Accepted by the account with that address, so there is no secret to send.
create table agency_invitations (
  id uuid primary key default gen_random_uuid(),
  agency_id uuid not null references agencies (id),
  email text not null,
  -- For assistants: whom they will assist.
  assists_id uuid references agents (id),
  invited_by uuid not null references agents (id),
  created_at timestamptz not null default now_ms()
);
create unique index agency_invitations_once on agency_invitations (agency_id, lower(email));

-- Earlier holders may have written about the person too: erasing reaches them (src/leads/store.ts).
create table lead_handovers (
  id uuid primary key default gen_random_uuid(),
  lead_id uuid not null references leads (id) on delete cascade,
  from_id uuid not null references agents (id),
  to_id uuid not null references agents (id),
  by_id uuid not null references agents (id),
  at timestamptz not null default now_ms()
);
create index lead_handovers_lead on lead_handovers (lead_id, at desc);

-- As before, but a lead handed to a colleague keeps the title its first agent saw; the place may be that agent's secret.
create or replace function keep_lead_listing() returns trigger language plpgsql as $$
declare
  seen record;
begin
  select l.title, l.slug, place_for(l, new.agent_id) as place into seen
  from listings l join agents o on o.id = l.agent_id
  where l.id = new.listing_id and is_visible_to(l, o, new.agent_id);
  if not found and tg_op = 'UPDATE' and new.listing_id = old.listing_id then
    new.listing_place = null;
    return new;
  end if;
  new.listing_title = seen.title;
  new.listing_slug = seen.slug;
  new.listing_place = seen.place;
  return new;
end $$;
