-- Systems of agents ask every few minutes which leads changed (GET /leads?updated_since=).
create index leads_updated on leads (agent_id, updated_at);
