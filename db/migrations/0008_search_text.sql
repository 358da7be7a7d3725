-- A listing is found by the names of its agent and agency. When one of them changes, a job writes its text anew.

create function request_search_text(agent uuid) returns void language plpgsql as $$
begin
  -- One job however many changes: it reads the names when it runs.
  perform graphile_worker.add_job('search-text', json_build_object('agentId', agent),
    job_key => 'search-text ' || agent);
end $$;

create function agent_search_text() returns trigger language plpgsql as $$
begin
  perform request_search_text(new.id);
  return null;
end $$;
create trigger agents_search_text after update on agents for each row
  when ((old.name, old.agency_id) is distinct from (new.name, new.agency_id))
  execute function agent_search_text();

create function agency_search_text() returns trigger language plpgsql as $$
begin
  perform request_search_text(a.id) from agents a where a.agency_id = new.id;
  return null;
end $$;
create trigger agencies_search_text after update on agencies for each row
  when ((old.name, old.active) is distinct from (new.name, new.active))
  execute function agency_search_text();

-- The text has learned the short names of two states.
select request_search_text(id) from agents;
