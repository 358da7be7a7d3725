-- A cooperation can also be proposed by the listing's agent, who offers the listing to a colleague's need. "Proposer" was the
-- agent who brings the client; that is now the buyer's agent, and proposed_by says which of the two proposed.

alter table cooperations rename column proposer_id to buyer_agent_id;
alter table cooperations rename constraint cooperations_proposer_id_fkey to cooperations_buyer_agent_id_fkey;
alter index cooperations_proposer rename to cooperations_buyer_agent;

alter table cooperations drop constraint cooperations_awaited_check;
update cooperations set awaited = 'buyer' where awaited = 'proposer';
alter table cooperations add constraint cooperations_awaited_check check (awaited in ('buyer', 'owner'));

alter table cooperations
  add column proposed_by text not null default 'buyer' check (proposed_by in ('buyer', 'owner')),
  -- The need it was offered to.
  add column need_id uuid references needs (id),
  add constraint cooperations_offer check ((proposed_by = 'owner') = (need_id is not null));
create index cooperations_need on cooperations (need_id) where need_id is not null;
