-- "Keep me signed in": sessions that last 30 days. Operators' sessions stay short (src/portal/sessions.ts).

alter table sessions add column is_remembered boolean not null default false;
