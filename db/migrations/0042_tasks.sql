-- Tasks of an agent about a person, each with the lead it came from: erasing the person removes them (src/leads/store.ts).

create table lead_tasks (
  id uuid primary key default gen_random_uuid(),
  lead_id uuid not null references leads (id) on delete cascade,
  text text not null,
  due_at timestamptz not null,
  -- When its reminder was mailed; null again if the date was changed.
  reminded_at timestamptz,
  done_at timestamptz,
  created_at timestamptz not null default now_ms()
);
create index lead_tasks_lead on lead_tasks (lead_id, due_at);
create index lead_tasks_done on lead_tasks (done_at) where done_at is not null;
