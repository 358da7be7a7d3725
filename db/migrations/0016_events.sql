-- GET /events reads the outbox as search reads listings (decision 0005): what is new to a reader are the rows of
-- transactions that its last snapshot did not see. Events that already exist count as written by this migration.
alter table outbox add column change_xid xid8 not null default pg_current_xact_id();

-- Following: the few rows since a snapshot. Loading: page by page in the order of the events.
create index outbox_since on outbox (agent_id, change_xid) where 'webhook' = any (channels);
create index outbox_pages on outbox (agent_id, id) where 'webhook' = any (channels);
