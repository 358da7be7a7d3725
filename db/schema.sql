-- Made by `npm run db:types` from the migrations, for reading: the database as they leave it.

CREATE TABLE agencies (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  name_fold text NOT NULL,
  slug text NOT NULL,
  logo_url text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  phone text,
  website text,
  about text,
  CONSTRAINT agencies_pkey PRIMARY KEY (id),
  CONSTRAINT agencies_slug_key UNIQUE (slug)
);
CREATE TRIGGER agencies_search_text AFTER UPDATE ON agencies FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.active IS DISTINCT FROM new.active) EXECUTE FUNCTION agency_search_text();
CREATE TRIGGER agencies_stamp AFTER UPDATE ON agencies FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.slug IS DISTINCT FROM new.slug OR old.logo_url IS DISTINCT FROM new.logo_url OR old.active IS DISTINCT FROM new.active) EXECUTE FUNCTION stamp_listings_of_agency();

CREATE TABLE agency_invitations (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agency_id uuid NOT NULL,
  email text NOT NULL,
  assists_id uuid,
  invited_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT agency_invitations_pkey PRIMARY KEY (id),
  CONSTRAINT agency_invitations_agency_id_fkey FOREIGN KEY (agency_id) REFERENCES agencies(id),
  CONSTRAINT agency_invitations_assists_id_fkey FOREIGN KEY (assists_id) REFERENCES agents(id),
  CONSTRAINT agency_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES agents(id)
);
CREATE UNIQUE INDEX agency_invitations_once ON agency_invitations USING btree (agency_id, lower(email));

CREATE TABLE agent_tokens (
  hash bytea NOT NULL,
  agent_id uuid NOT NULL,
  purpose text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT agent_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT agent_tokens_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  CONSTRAINT agent_tokens_hash_check CHECK (length(hash) = 32),
  CONSTRAINT agent_tokens_purpose_check CHECK (purpose = ANY (ARRAY['confirm'::text, 'reset'::text]))
);
CREATE INDEX agent_tokens_agent ON agent_tokens USING btree (agent_id);

CREATE TABLE agents (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  name text NOT NULL,
  name_fold text NOT NULL,
  slug text NOT NULL,
  phone text,
  agency_id uuid,
  license_number text,
  license_state text,
  verified_at timestamptz,
  in_directory boolean NOT NULL DEFAULT true,
  is_test boolean NOT NULL DEFAULT false,
  lang text NOT NULL DEFAULT 'es'::text,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  is_operator boolean NOT NULL DEFAULT false,
  email_confirmed_at timestamptz,
  license_authority text,
  agency_wanted text,
  is_agency_admin boolean NOT NULL DEFAULT false,
  bio text,
  languages text[] NOT NULL DEFAULT '{}'::text[],
  photo text,
  calendar_key uuid NOT NULL DEFAULT gen_random_uuid(),
  assists_id uuid,
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_agency_id_fkey FOREIGN KEY (agency_id) REFERENCES agencies(id),
  CONSTRAINT agents_assistant CHECK (assists_id IS NULL OR assists_id <> id AND NOT is_agency_admin),
  CONSTRAINT agents_assists_id_fkey FOREIGN KEY (assists_id) REFERENCES agents(id),
  CONSTRAINT agents_calendar_key_key UNIQUE (calendar_key),
  CONSTRAINT agents_lang_check CHECK (lang = ANY (ARRAY['es'::text, 'en'::text])),
  CONSTRAINT agents_slug_key UNIQUE (slug)
);
CREATE INDEX agents_agency ON agents USING btree (agency_id);
CREATE INDEX agents_assistants ON agents USING btree (assists_id) WHERE assists_id IS NOT NULL;
CREATE INDEX agents_directory ON agents USING btree (name_fold, id) WHERE in_directory AND verified_at IS NOT NULL AND NOT is_test;
CREATE UNIQUE INDEX agents_email ON agents USING btree (lower(email));
CREATE TRIGGER agents_lock_agency BEFORE INSERT OR UPDATE OF agency_id ON agents FOR EACH ROW EXECUTE FUNCTION lock_agency();
CREATE TRIGGER agents_search_text AFTER UPDATE ON agents FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.agency_id IS DISTINCT FROM new.agency_id) EXECUTE FUNCTION agent_search_text();
CREATE TRIGGER agents_stamp AFTER UPDATE ON agents FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.slug IS DISTINCT FROM new.slug OR old.phone IS DISTINCT FROM new.phone OR old.agency_id IS DISTINCT FROM new.agency_id OR old.verified_at IS DISTINCT FROM new.verified_at OR old.is_test IS DISTINCT FROM new.is_test) EXECUTE FUNCTION stamp_listings_of_agent();

CREATE TABLE alert_matches (
  alert_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  matched_at timestamptz NOT NULL DEFAULT now_ms(),
  mail bigint,
  CONSTRAINT alert_matches_pkey PRIMARY KEY (alert_id, listing_id),
  CONSTRAINT alert_matches_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id) ON DELETE CASCADE,
  CONSTRAINT alert_matches_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX alert_matches_listing ON alert_matches USING btree (listing_id);
CREATE INDEX alert_matches_waiting ON alert_matches USING btree (alert_id) WHERE mail IS NULL;

CREATE TABLE alerts (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text,
  lang text NOT NULL,
  query text NOT NULL,
  pace text NOT NULL,
  consent_at timestamptz NOT NULL,
  consent_notice text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  confirmed_at timestamptz,
  used_at timestamptz,
  warned_at timestamptz,
  stopped_at timestamptz,
  is_waiting boolean NOT NULL DEFAULT false,
  mailed_at timestamptz,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT alerts_pkey PRIMARY KEY (id),
  CONSTRAINT alerts_lang_check CHECK (lang = ANY (ARRAY['es'::text, 'en'::text])),
  CONSTRAINT alerts_pace_check CHECK (pace = ANY (ARRAY['at_once'::text, 'daily'::text])),
  CONSTRAINT alerts_stopped CHECK ((email IS NULL) = (stopped_at IS NOT NULL))
);
CREATE INDEX alerts_changed ON alerts USING btree (change_xid);
CREATE UNIQUE INDEX alerts_search ON alerts USING btree (mailbox_of(email), query) WHERE stopped_at IS NULL;
CREATE TRIGGER alerts_stamp BEFORE UPDATE OF query, confirmed_at, stopped_at ON alerts FOR EACH ROW EXECUTE FUNCTION stamp_alert();

CREATE TABLE api_keys (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  label text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT api_keys_hash_check CHECK (length(hash) = 32),
  CONSTRAINT api_keys_prefix_check CHECK (prefix ~ '^[0-9A-Za-z]{8}$'::text),
  CONSTRAINT api_keys_prefix_key UNIQUE (prefix),
  CONSTRAINT api_keys_scopes_check CHECK (scopes = '{read}'::text[] OR scopes = '{read,write}'::text[] OR scopes = '{partner}'::text[])
);
CREATE INDEX api_keys_agent ON api_keys USING btree (agent_id);

CREATE TABLE audit_log (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now_ms(),
  operator_id uuid,
  action text NOT NULL,
  subject text NOT NULL,
  subject_id text,
  note text,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES agents(id)
);
CREATE INDEX audit_log_newest ON audit_log USING btree (at DESC);

CREATE TABLE city_centers (
  state text NOT NULL,
  city_fold text NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  CONSTRAINT city_centers_pkey PRIMARY KEY (state, city_fold)
);

CREATE TABLE collection_listings (
  collection_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  position integer NOT NULL,
  CONSTRAINT collection_listings_pkey PRIMARY KEY (collection_id, listing_id),
  CONSTRAINT collection_listings_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  CONSTRAINT collection_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT collection_listings_position UNIQUE (collection_id, "position") DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX collection_listings_listing ON collection_listings USING btree (listing_id);

CREATE TABLE collections (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  token text NOT NULL,
  title text NOT NULL,
  message text,
  lang text NOT NULL DEFAULT 'es'::text,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT collections_pkey PRIMARY KEY (id),
  CONSTRAINT collections_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT collections_lang_check CHECK (lang = ANY (ARRAY['es'::text, 'en'::text])),
  CONSTRAINT collections_token_check CHECK (length(token) >= 20),
  CONSTRAINT collections_token_key UNIQUE (token)
);
CREATE INDEX collections_agent ON collections USING btree (agent_id, created_at DESC);

CREATE TABLE cooperation_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  cooperation_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now_ms(),
  agent_id uuid,
  kind text NOT NULL,
  text text,
  split text,
  showing_at timestamptz,
  file text,
  removed_at timestamptz,
  digest text,
  CONSTRAINT cooperation_entries_pkey PRIMARY KEY (id),
  CONSTRAINT cooperation_entries_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT cooperation_entries_cooperation_id_fkey FOREIGN KEY (cooperation_id) REFERENCES cooperations(id),
  CONSTRAINT cooperation_entries_file CHECK ((kind = 'file'::text AND removed_at IS NULL) = (file IS NOT NULL)),
  CONSTRAINT cooperation_entries_kind_check CHECK (kind = ANY (ARRAY['propose'::text, 'accept'::text, 'counter'::text, 'decline'::text, 'withdraw'::text, 'expire'::text, 'message'::text, 'file'::text, 'attach'::text, 'identify'::text, 'share'::text, 'showing'::text, 'offer'::text, 'close'::text, 'lose'::text, 'dispute'::text, 'resolve'::text])),
  CONSTRAINT cooperation_entries_removed CHECK ((removed_at IS NULL) = (digest IS NULL) AND (removed_at IS NULL OR text IS NULL AND file IS NULL))
);
CREATE INDEX cooperation_entries_thread ON cooperation_entries USING btree (cooperation_id, id);
CREATE INDEX cooperation_entries_upload ON cooperation_entries USING btree (upload_id(file)) WHERE file IS NOT NULL;
CREATE TRIGGER cooperation_entries_kept BEFORE DELETE OR UPDATE ON cooperation_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE cooperations (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  listing_id uuid NOT NULL,
  buyer_agent_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'proposed'::text,
  awaited text,
  awaited_since timestamptz NOT NULL DEFAULT now_ms(),
  client text NOT NULL,
  lead_id uuid,
  wish text,
  split text NOT NULL,
  client_shared_at timestamptz,
  showing_at timestamptz,
  disputed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  proposed_by text NOT NULL DEFAULT 'buyer'::text,
  need_id uuid,
  CONSTRAINT cooperations_pkey PRIMARY KEY (id),
  CONSTRAINT cooperations_awaited CHECK ((state = 'proposed'::text) = (awaited IS NOT NULL)),
  CONSTRAINT cooperations_awaited_check CHECK (awaited = ANY (ARRAY['buyer'::text, 'owner'::text])),
  CONSTRAINT cooperations_buyer_agent_id_fkey FOREIGN KEY (buyer_agent_id) REFERENCES agents(id),
  CONSTRAINT cooperations_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id),
  CONSTRAINT cooperations_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  CONSTRAINT cooperations_need_id_fkey FOREIGN KEY (need_id) REFERENCES needs(id),
  CONSTRAINT cooperations_offer CHECK ((proposed_by = 'owner'::text) = (need_id IS NOT NULL)),
  CONSTRAINT cooperations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES agents(id),
  CONSTRAINT cooperations_proposed_by_check CHECK (proposed_by = ANY (ARRAY['buyer'::text, 'owner'::text])),
  CONSTRAINT cooperations_state_check CHECK (state = ANY (ARRAY['proposed'::text, 'accepted'::text, 'showing'::text, 'offer'::text, 'closed'::text, 'declined'::text, 'withdrawn'::text, 'lost'::text, 'expired'::text])),
  CONSTRAINT cooperations_two CHECK (buyer_agent_id <> owner_id)
);
CREATE INDEX cooperations_buyer_agent ON cooperations USING btree (buyer_agent_id, updated_at DESC);
CREATE INDEX cooperations_disputed ON cooperations USING btree (disputed_at) WHERE disputed_at IS NOT NULL;
CREATE INDEX cooperations_lead ON cooperations USING btree (lead_id);
CREATE INDEX cooperations_listing ON cooperations USING btree (listing_id);
CREATE INDEX cooperations_need ON cooperations USING btree (need_id) WHERE need_id IS NOT NULL;
CREATE INDEX cooperations_owner ON cooperations USING btree (owner_id, updated_at DESC);
CREATE INDEX cooperations_waiting ON cooperations USING btree (awaited_since) WHERE state = 'proposed'::text;

CREATE TABLE doctor_position (
  is_only boolean NOT NULL DEFAULT true,
  change_xid xid8 NOT NULL DEFAULT '0'::xid8,
  listing_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  levels_at timestamptz,
  CONSTRAINT doctor_position_pkey PRIMARY KEY (is_only),
  CONSTRAINT doctor_position_is_only_check CHECK (is_only)
);

CREATE TABLE exchange_rates (
  day date NOT NULL,
  mxn_per_usd numeric(10,6) NOT NULL,
  source text NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT exchange_rates_pkey PRIMARY KEY (day),
  CONSTRAINT exchange_rates_mxn_per_usd_check CHECK (mxn_per_usd >= 1::numeric AND mxn_per_usd <= 1000::numeric),
  CONSTRAINT exchange_rates_source_check CHECK (char_length(source) >= 1 AND char_length(source) <= 200)
);

CREATE TABLE feed_histories (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  token uuid NOT NULL DEFAULT gen_random_uuid(),
  server text NOT NULL,
  run text NOT NULL,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT feed_histories_pkey PRIMARY KEY (id),
  CONSTRAINT feed_histories_once UNIQUE (server, run)
);

CREATE TABLE feeds (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  name text NOT NULL,
  format text NOT NULL,
  source text NOT NULL,
  collection_id uuid,
  token_hash bytea NOT NULL,
  token bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  read_at timestamptz,
  read_client text,
  read_network text,
  CONSTRAINT feeds_pkey PRIMARY KEY (id),
  CONSTRAINT feeds_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT feeds_collection CHECK ((source = 'collection'::text) = (collection_id IS NOT NULL)),
  CONSTRAINT feeds_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  CONSTRAINT feeds_format_check CHECK (format = ANY (ARRAY['json'::text, 'ndjson'::text, 'csv'::text, 'rss'::text, 'trovit'::text, 'meta'::text])),
  CONSTRAINT feeds_source_check CHECK (source = ANY (ARRAY['own'::text, 'agency'::text, 'collection'::text])),
  CONSTRAINT feeds_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX feeds_agent ON feeds USING btree (agent_id, created_at DESC);
CREATE INDEX feeds_of_collection ON feeds USING btree (collection_id) WHERE collection_id IS NOT NULL;

CREATE TABLE figure_mails (
  agent_id uuid NOT NULL,
  week text NOT NULL DEFAULT ''::text,
  is_stopped boolean NOT NULL DEFAULT false,
  CONSTRAINT figure_mails_pkey PRIMARY KEY (agent_id),
  CONSTRAINT figure_mails_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

CREATE TABLE findings (
  listing_id uuid NOT NULL,
  kind text NOT NULL,
  other_id uuid,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  found_at timestamptz NOT NULL DEFAULT now_ms(),
  dismissed_at timestamptz,
  CONSTRAINT findings_kind_check CHECK (kind = ANY (ARRAY['price_per_m2'::text, 'outside_state'::text, 'outside_city'::text, 'same_photos'::text, 'same_house'::text, 'sale_like_rent'::text, 'capitals'::text, 'contact'::text])),
  CONSTRAINT findings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT findings_listing_id_kind_other_id_key UNIQUE NULLS NOT DISTINCT (listing_id, kind, other_id),
  CONSTRAINT findings_other_id_fkey FOREIGN KEY (other_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX findings_duplicates ON findings USING btree (found_at DESC) WHERE other_id IS NOT NULL AND dismissed_at IS NULL;
CREATE INDEX findings_other ON findings USING btree (other_id) WHERE other_id IS NOT NULL;

CREATE TABLE form_uses (
  hash bytea NOT NULL,
  lead_id uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT form_uses_pkey PRIMARY KEY (hash),
  CONSTRAINT form_uses_hash_check CHECK (length(hash) = 32),
  CONSTRAINT form_uses_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE
);
CREATE INDEX form_uses_age ON form_uses USING btree (used_at);
CREATE INDEX form_uses_lead ON form_uses USING btree (lead_id);

CREATE TABLE identifications (
  lead_id uuid NOT NULL,
  token_hash bytea,
  token_expires_at timestamptz,
  details bytea,
  picture bytea,
  submitted_at timestamptz,
  status text NOT NULL DEFAULT 'asked'::text,
  reason text,
  decided_at timestamptz,
  decided_by uuid,
  erased_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT identifications_pkey PRIMARY KEY (lead_id),
  CONSTRAINT identifications_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES agents(id),
  CONSTRAINT identifications_decision CHECK ((status = ANY (ARRAY['verified'::text, 'refused'::text])) = (decided_at IS NOT NULL)),
  CONSTRAINT identifications_erased CHECK (erased_at IS NULL OR details IS NULL),
  CONSTRAINT identifications_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE,
  CONSTRAINT identifications_link CHECK ((token_hash IS NULL) = (token_expires_at IS NULL)),
  CONSTRAINT identifications_parts CHECK ((details IS NULL) = (picture IS NULL)),
  CONSTRAINT identifications_status_check CHECK (status = ANY (ARRAY['asked'::text, 'submitted'::text, 'verified'::text, 'refused'::text])),
  CONSTRAINT identifications_submitted CHECK (status = 'asked'::text OR submitted_at IS NOT NULL),
  CONSTRAINT identifications_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT identifications_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX identifications_sealed ON identifications USING btree (lead_id) WHERE details IS NOT NULL;
CREATE INDEX identifications_waiting ON identifications USING btree (submitted_at) WHERE status = 'submitted'::text;

CREATE TABLE import_memories (
  agent_id uuid NOT NULL,
  columns jsonb NOT NULL,
  CONSTRAINT import_memories_pkey PRIMARY KEY (agent_id),
  CONSTRAINT import_memories_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

CREATE TABLE import_rows (
  import_id uuid NOT NULL,
  number integer NOT NULL,
  cells jsonb NOT NULL,
  external_id text,
  result text,
  issues jsonb NOT NULL DEFAULT '[]'::jsonb,
  notes jsonb NOT NULL DEFAULT '[]'::jsonb,
  listing_id uuid,
  before jsonb,
  after timestamptz,
  undone boolean,
  CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, number),
  CONSTRAINT import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE,
  CONSTRAINT import_rows_result_check CHECK (result = ANY (ARRAY['created'::text, 'changed'::text, 'unchanged'::text, 'refused'::text, 'unpublished'::text]))
);
CREATE INDEX import_rows_name ON import_rows USING btree (import_id, external_id, number) WHERE external_id IS NOT NULL;
CREATE INDEX import_rows_result ON import_rows USING btree (import_id, result, number);

CREATE TABLE import_source_items (
  source_id uuid NOT NULL,
  external_id text NOT NULL,
  missing boolean NOT NULL DEFAULT false,
  CONSTRAINT import_source_items_pkey PRIMARY KEY (source_id, external_id),
  CONSTRAINT import_source_items_source_id_fkey FOREIGN KEY (source_id) REFERENCES import_sources(id) ON DELETE CASCADE
);

CREATE TABLE import_sources (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  url text,
  key bytea,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  next_at timestamptz NOT NULL DEFAULT now_ms(),
  trusted boolean NOT NULL DEFAULT false,
  CONSTRAINT import_sources_pkey PRIMARY KEY (id),
  CONSTRAINT import_sources_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT import_sources_kind_check CHECK (kind = ANY (ARRAY['feed'::text, 'easybroker'::text])),
  CONSTRAINT import_sources_place CHECK (
CASE kind
    WHEN 'feed'::text THEN url IS NOT NULL AND key IS NULL
    ELSE key IS NOT NULL AND url IS NULL
END)
);
CREATE INDEX import_sources_agent ON import_sources USING btree (agent_id, created_at DESC);
CREATE INDEX import_sources_next ON import_sources USING btree (next_at);

CREATE TABLE imports (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  name text NOT NULL,
  file text,
  phase text NOT NULL,
  columns jsonb NOT NULL DEFAULT '[]'::jsonb,
  publishes boolean NOT NULL DEFAULT true,
  total integer NOT NULL DEFAULT 0,
  position integer NOT NULL DEFAULT 0,
  counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  issues jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  finished_at timestamptz,
  source_id uuid,
  unpublishes boolean NOT NULL DEFAULT true,
  CONSTRAINT imports_pkey PRIMARY KEY (id),
  CONSTRAINT imports_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT imports_phase_check CHECK (phase = ANY (ARRAY['reading'::text, 'columns'::text, 'checking'::text, 'ready'::text, 'running'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'failed'::text, 'canceled'::text])),
  CONSTRAINT imports_source_id_fkey FOREIGN KEY (source_id) REFERENCES import_sources(id) ON DELETE SET NULL
);
CREATE INDEX imports_agent ON imports USING btree (agent_id, created_at DESC);
CREATE INDEX imports_finished ON imports USING btree (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX imports_source ON imports USING btree (source_id) WHERE source_id IS NOT NULL;
CREATE UNIQUE INDEX imports_working ON imports USING btree (agent_id) WHERE phase = ANY (ARRAY['reading'::text, 'checking'::text, 'running'::text, 'undoing'::text]);

CREATE TABLE kept_answers (
  agent_id uuid NOT NULL,
  key bytea NOT NULL,
  part integer NOT NULL,
  request bytea NOT NULL,
  status integer NOT NULL,
  headers json NOT NULL,
  body text NOT NULL,
  lead_id uuid,
  at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT kept_answers_pkey PRIMARY KEY (agent_id, key, part),
  CONSTRAINT kept_answers_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  CONSTRAINT kept_answers_key_check CHECK (length(key) = 32),
  CONSTRAINT kept_answers_part_check CHECK (part >= 0),
  CONSTRAINT kept_answers_request_check CHECK (length(request) = 32)
);
CREATE INDEX kept_answers_age ON kept_answers USING btree (at);
CREATE INDEX kept_answers_lead ON kept_answers USING btree (lead_id) WHERE lead_id IS NOT NULL;

CREATE TABLE lead_handovers (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  lead_id uuid NOT NULL,
  from_id uuid NOT NULL,
  to_id uuid NOT NULL,
  by_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT lead_handovers_pkey PRIMARY KEY (id),
  CONSTRAINT lead_handovers_by_id_fkey FOREIGN KEY (by_id) REFERENCES agents(id),
  CONSTRAINT lead_handovers_from_id_fkey FOREIGN KEY (from_id) REFERENCES agents(id),
  CONSTRAINT lead_handovers_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE,
  CONSTRAINT lead_handovers_to_id_fkey FOREIGN KEY (to_id) REFERENCES agents(id)
);
CREATE INDEX lead_handovers_lead ON lead_handovers USING btree (lead_id, at DESC);

CREATE VIEW lead_listings AS
 SELECT d.id AS lead_id,
    l.agent_id = d.agent_id AS is_own,
    is_public(l.*, o.*) AS is_public,
        CASE
            WHEN is_visible_to(l.*, o.*, d.agent_id) THEN l.title
            ELSE d.listing_title
        END AS title,
        CASE
            WHEN is_visible_to(l.*, o.*, d.agent_id) THEN l.slug
            ELSE d.listing_slug
        END AS slug,
        CASE
            WHEN is_visible_to(l.*, o.*, d.agent_id) THEN place_for(l.*, d.agent_id)
            ELSE d.listing_place
        END AS place,
        CASE
            WHEN is_public(l.*, o.*) THEN l.title
            ELSE d.listing_title
        END AS public_title,
    json_build_object('state', l.state, 'city', l.city, 'municipality', l.municipality) AS whereabouts
   FROM leads d
     JOIN listings l ON l.id = d.listing_id
     JOIN agents o ON o.id = l.agent_id;

CREATE TABLE lead_notes (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  lead_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now_ms(),
  text text NOT NULL,
  CONSTRAINT lead_notes_pkey PRIMARY KEY (id),
  CONSTRAINT lead_notes_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE
);
CREATE INDEX lead_notes_lead ON lead_notes USING btree (lead_id, at DESC);

CREATE TABLE lead_tasks (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  lead_id uuid NOT NULL,
  text text NOT NULL,
  due_at timestamptz NOT NULL,
  reminded_at timestamptz,
  done_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT lead_tasks_pkey PRIMARY KEY (id),
  CONSTRAINT lead_tasks_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE
);
CREATE INDEX lead_tasks_done ON lead_tasks USING btree (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX lead_tasks_lead ON lead_tasks USING btree (lead_id, due_at);

CREATE TABLE leads (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  listing_id uuid,
  name text NOT NULL,
  email text,
  phone text,
  phone_e164 text,
  message text,
  source text NOT NULL,
  status text NOT NULL DEFAULT 'new'::text,
  kind text NOT NULL DEFAULT 'info'::text,
  lang text NOT NULL DEFAULT 'es'::text,
  interest text,
  budget_min numeric(14,2),
  budget_max numeric(14,2),
  follow_up_at timestamptz,
  tour_at timestamptz,
  tour_status text,
  showing_at timestamptz,
  id_status text,
  awaiting_id boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  erased_at timestamptz,
  consent_at timestamptz,
  consent_notice text,
  listing_title text,
  listing_slug text,
  listing_place text,
  told_showing_at timestamptz,
  told_at timestamptz,
  CONSTRAINT leads_pkey PRIMARY KEY (id),
  CONSTRAINT leads_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT leads_consent CHECK ((consent_at IS NULL) = (consent_notice IS NULL)),
  CONSTRAINT leads_id_status_check CHECK (id_status = ANY (ARRAY['verified'::text, 'pending'::text])),
  CONSTRAINT leads_interest_check CHECK (interest = ANY (ARRAY['sale'::text, 'rental'::text])),
  CONSTRAINT leads_kind_check CHECK (kind = ANY (ARRAY['info'::text, 'tour'::text])),
  CONSTRAINT leads_lang_check CHECK (lang = ANY (ARRAY['es'::text, 'en'::text])),
  CONSTRAINT leads_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  CONSTRAINT leads_status_check CHECK (status = ANY (ARRAY['new'::text, 'contacted'::text, 'qualified'::text, 'showing'::text, 'negotiation'::text, 'won'::text, 'lost'::text])),
  CONSTRAINT leads_told CHECK ((told_showing_at IS NULL) = (told_at IS NULL)),
  CONSTRAINT leads_tour_status_check CHECK (tour_status = ANY (ARRAY['requested'::text, 'confirmed'::text, 'done'::text, 'cancelled'::text, 'no_show'::text]))
);
CREATE INDEX leads_listing ON leads USING btree (listing_id);
CREATE INDEX leads_mailbox ON leads USING btree (mailbox_of(email)) WHERE email IS NOT NULL;
CREATE INDEX leads_newest ON leads USING btree (agent_id, created_at DESC, id DESC);
CREATE INDEX leads_phone ON leads USING btree (phone_e164) WHERE phone_e164 IS NOT NULL;
CREATE INDEX leads_showings ON leads USING btree (agent_id, showing_at) WHERE showing_at IS NOT NULL;
CREATE INDEX leads_updated ON leads USING btree (agent_id, updated_at);
CREATE TRIGGER leads_keep_listing BEFORE INSERT OR UPDATE OF agent_id, listing_id ON leads FOR EACH ROW EXECUTE FUNCTION keep_lead_listing();

CREATE TABLE letters (
  recipient bytea NOT NULL,
  is_known boolean NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT letters_recipient_check CHECK (length(recipient) = 32)
);
CREATE INDEX letters_age ON letters USING btree (at);
CREATE INDEX letters_recipient ON letters USING btree (recipient, at);

CREATE TABLE licence_requests (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  state text NOT NULL,
  authority text NOT NULL,
  number text NOT NULL,
  document text,
  document_type text,
  status text NOT NULL DEFAULT 'pending'::text,
  reason text,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  decided_at timestamptz,
  decided_by uuid,
  CONSTRAINT licence_requests_pkey PRIMARY KEY (id),
  CONSTRAINT licence_requests_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  CONSTRAINT licence_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES agents(id),
  CONSTRAINT licence_requests_decision CHECK ((status = 'pending'::text) = (decided_at IS NULL)),
  CONSTRAINT licence_requests_document CHECK ((document IS NULL) = (document_type IS NULL)),
  CONSTRAINT licence_requests_document_type_check CHECK (document_type = ANY (ARRAY['application/pdf'::text, 'image/webp'::text])),
  CONSTRAINT licence_requests_status_check CHECK (status = ANY (ARRAY['pending'::text, 'verified'::text, 'refused'::text]))
);
CREATE INDEX licence_requests_agent ON licence_requests USING btree (agent_id, created_at DESC);
CREATE UNIQUE INDEX licence_requests_pending ON licence_requests USING btree (agent_id) WHERE status = 'pending'::text;

CREATE UNLOGGED TABLE limit_counts (
  key uuid NOT NULL,
  slot integer NOT NULL,
  count integer NOT NULL,
  CONSTRAINT limit_counts_pkey PRIMARY KEY (key, slot)
);
CREATE INDEX limit_counts_slot ON limit_counts USING btree (slot);

CREATE UNLOGGED TABLE limit_processes (
  id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  CONSTRAINT limit_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE listing_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  listing_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now_ms(),
  via text NOT NULL,
  agent_id uuid,
  action text NOT NULL,
  fields jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT listing_changes_pkey PRIMARY KEY (id),
  CONSTRAINT listing_changes_action_check CHECK (action = ANY (ARRAY['create'::text, 'edit'::text, 'photos'::text, 'publish'::text, 'reconfirm'::text, 'unpublish'::text, 'withdraw'::text, 'sell'::text, 'rent'::text, 'expire'::text, 'suspend'::text, 'lift'::text])),
  CONSTRAINT listing_changes_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT listing_changes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT listing_changes_via_check CHECK (via = ANY (ARRAY['api'::text, 'portal'::text, 'operator'::text, 'system'::text]))
);
CREATE INDEX listing_changes_newest ON listing_changes USING btree (listing_id, id DESC);

CREATE TABLE listing_figures (
  listing_id uuid NOT NULL,
  day text NOT NULL,
  source text NOT NULL,
  views integer NOT NULL DEFAULT 0,
  contacts integer NOT NULL DEFAULT 0,
  favorites integer NOT NULL DEFAULT 0,
  shares integer NOT NULL DEFAULT 0,
  appearances integer NOT NULL DEFAULT 0,
  CONSTRAINT listing_figures_pkey PRIMARY KEY (listing_id, day, source),
  CONSTRAINT listing_figures_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);

CREATE TABLE listing_images (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  listing_id uuid NOT NULL,
  position integer NOT NULL,
  kind text NOT NULL DEFAULT 'url'::text,
  url text NOT NULL,
  thumb text NOT NULL,
  alt text,
  CONSTRAINT listing_images_pkey PRIMARY KEY (id),
  CONSTRAINT listing_images_kind_check CHECK (kind = ANY (ARRAY['url'::text, 'upload'::text])),
  CONSTRAINT listing_images_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id),
  CONSTRAINT listing_images_position UNIQUE (listing_id, "position") DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT listing_images_url UNIQUE (listing_id, url)
);
CREATE INDEX listing_images_same ON listing_images USING hash (url);
CREATE INDEX listing_images_upload ON listing_images USING btree (upload_id(url)) WHERE kind = 'upload'::text;
CREATE TRIGGER listing_images_stamp AFTER INSERT OR DELETE OR UPDATE ON listing_images FOR EACH ROW EXECUTE FUNCTION stamp_listing_of_image();

CREATE TABLE listing_removals (
  listing_id uuid NOT NULL,
  agent_id uuid,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  version bigint NOT NULL DEFAULT random_version(),
  CONSTRAINT listing_removals_viewer UNIQUE NULLS NOT DISTINCT (listing_id, agent_id)
);
CREATE INDEX listing_removals_change ON listing_removals USING btree (change_xid);

CREATE TABLE listings (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  slug text NOT NULL,
  status text NOT NULL DEFAULT 'draft'::text,
  featured boolean NOT NULL DEFAULT false,
  imported boolean NOT NULL DEFAULT false,
  title text NOT NULL,
  description text,
  title_en text,
  description_en text,
  property_type text NOT NULL DEFAULT 'other'::text,
  sale_price numeric(14,2),
  sale_currency text,
  rent_price numeric(14,2),
  rent_currency text,
  rent_period text,
  bedrooms integer,
  bathrooms numeric(5,2),
  half_bathrooms integer,
  parking integer,
  construction_m2 numeric(11,2),
  lot_m2 numeric(11,2),
  year_built integer,
  floors integer,
  features text[] NOT NULL DEFAULT '{}'::text[],
  address text,
  neighborhood text,
  city text NOT NULL,
  municipality text,
  state text NOT NULL,
  postal_code text,
  lat double precision,
  lng double precision,
  show_exact_address boolean NOT NULL DEFAULT false,
  idx_opt_out boolean NOT NULL DEFAULT false,
  video_url text,
  virtual_tour_url text,
  exclusive boolean NOT NULL DEFAULT false,
  shared_commission text,
  internal_id text,
  external_id text,
  public_lat double precision,
  public_lng double precision,
  city_fold text NOT NULL,
  neighborhood_fold text,
  title_fold text NOT NULL,
  search tsvector NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  published_at timestamptz,
  confirmed_at timestamptz,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  reminded_at timestamptz,
  version bigint NOT NULL DEFAULT random_version(),
  shown boolean NOT NULL DEFAULT false,
  price_lowered_at timestamptz,
  CONSTRAINT listings_pkey PRIMARY KEY (id),
  CONSTRAINT listings_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT listings_point CHECK ((lat IS NULL) = (lng IS NULL)),
  CONSTRAINT listings_property_type_check CHECK (property_type = ANY (ARRAY['house'::text, 'apartment'::text, 'land'::text, 'office'::text, 'commercial'::text, 'warehouse'::text, 'ranch'::text, 'building'::text, 'other'::text])),
  CONSTRAINT listings_public_point CHECK ((public_lat IS NULL) = (lat IS NULL) AND (public_lng IS NULL) = (lng IS NULL)),
  CONSTRAINT listings_rent CHECK ((rent_price IS NULL) = (rent_currency IS NULL) AND (rent_price IS NULL) = (rent_period IS NULL)),
  CONSTRAINT listings_rent_currency_check CHECK (rent_currency = ANY (ARRAY['MXN'::text, 'USD'::text])),
  CONSTRAINT listings_rent_period_check CHECK (rent_period = ANY (ARRAY['monthly'::text, 'weekly'::text, 'daily'::text, 'yearly'::text])),
  CONSTRAINT listings_rent_price_check CHECK (rent_price > 0::numeric),
  CONSTRAINT listings_sale CHECK ((sale_price IS NULL) = (sale_currency IS NULL)),
  CONSTRAINT listings_sale_currency_check CHECK (sale_currency = ANY (ARRAY['MXN'::text, 'USD'::text])),
  CONSTRAINT listings_sale_price_check CHECK (sale_price > 0::numeric),
  CONSTRAINT listings_slug_key UNIQUE (slug),
  CONSTRAINT listings_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text, 'withdrawn'::text, 'sold'::text, 'rented'::text, 'expired'::text, 'suspended'::text]))
);
CREATE INDEX listings_agent ON listings USING btree (agent_id, updated_at DESC);
CREATE INDEX listings_cell ON listings USING btree (floor(lat * 500::double precision), floor(lng * 500::double precision)) WHERE status = 'published'::text AND lat IS NOT NULL;
CREATE INDEX listings_change ON listings USING btree (change_xid, id);
CREATE INDEX listings_confirmed ON listings USING btree (COALESCE(confirmed_at, published_at, created_at)) WHERE status = 'published'::text;
CREATE UNIQUE INDEX listings_external_id ON listings USING btree (agent_id, external_id);
CREATE INDEX listings_features ON listings USING gin (features);
CREATE INDEX listings_municipality ON listings USING btree (municipality) WHERE municipality IS NOT NULL;
CREATE INDEX listings_neighborhood ON listings USING btree (state, neighborhood_fold, city_fold) WHERE status = 'published'::text;
CREATE INDEX listings_newest ON listings USING btree (featured DESC, COALESCE(published_at, created_at) DESC, id) WHERE status = 'published'::text;
CREATE INDEX listings_place ON listings USING btree (state, city) WHERE status = 'published'::text;
CREATE INDEX listings_public_point ON listings USING btree (public_lat, public_lng) WHERE shown;
CREATE INDEX listings_reference ON listings USING btree (lower(external_id) text_pattern_ops) WHERE external_id IS NOT NULL AND status = 'published'::text AND NOT idx_opt_out AND NOT imported;
CREATE INDEX listings_search ON listings USING gin (search);
CREATE INDEX listings_shown ON listings USING btree (state, property_type, city_fold) INCLUDE (id, featured, published_at, created_at, updated_at, sale_price, sale_currency, rent_price, rent_currency, bedrooms, bathrooms, parking, floors, construction_m2, lot_m2, neighborhood_fold, public_lat, public_lng) WHERE shown;
CREATE INDEX listings_updated ON listings USING btree (updated_at);
CREATE TRIGGER listings_announce AFTER INSERT OR DELETE OR UPDATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION announce_listing_changes();
CREATE TRIGGER listings_price BEFORE UPDATE ON listings FOR EACH ROW WHEN (old.published_at IS NOT NULL AND (old.sale_price IS DISTINCT FROM new.sale_price OR old.sale_currency IS DISTINCT FROM new.sale_currency OR old.rent_price IS DISTINCT FROM new.rent_price OR old.rent_currency IS DISTINCT FROM new.rent_currency OR old.rent_period IS DISTINCT FROM new.rent_period)) EXECUTE FUNCTION note_price();
CREATE TRIGGER listings_removals AFTER DELETE OR UPDATE ON listings FOR EACH ROW EXECUTE FUNCTION record_removals();
CREATE TRIGGER listings_stamp BEFORE INSERT OR UPDATE ON listings FOR EACH ROW EXECUTE FUNCTION stamp_listing();

CREATE TABLE migrations (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE need_digests (
  agent_id uuid NOT NULL,
  day text NOT NULL,
  CONSTRAINT need_digests_pkey PRIMARY KEY (agent_id),
  CONSTRAINT need_digests_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id)
);

CREATE TABLE need_matches (
  need_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  matched_at timestamptz NOT NULL DEFAULT now_ms(),
  lowered_at timestamptz,
  is_current boolean NOT NULL DEFAULT true,
  dismissed_at timestamptz,
  announced_at timestamptz,
  mail_id text,
  CONSTRAINT need_matches_pkey PRIMARY KEY (need_id, listing_id),
  CONSTRAINT need_matches_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT need_matches_need_id_fkey FOREIGN KEY (need_id) REFERENCES needs(id) ON DELETE CASCADE
);
CREATE INDEX need_matches_listing ON need_matches USING btree (listing_id);
CREATE INDEX need_matches_mail ON need_matches USING btree (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX need_matches_waiting ON need_matches USING btree (need_id) WHERE announced_at IS NULL;

CREATE TABLE need_position (
  id boolean NOT NULL DEFAULT true,
  history text NOT NULL DEFAULT ''::text,
  snapshot text NOT NULL DEFAULT ''::text,
  holds bigint NOT NULL DEFAULT 0,
  CONSTRAINT need_position_pkey PRIMARY KEY (id),
  CONSTRAINT need_position_id_check CHECK (id)
);

CREATE TABLE needs (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  client text,
  note text,
  query text NOT NULL,
  places text[] NOT NULL DEFAULT '{}'::text[],
  on_board boolean NOT NULL DEFAULT false,
  notices text NOT NULL DEFAULT 'daily'::text,
  until timestamptz NOT NULL,
  closed_at timestamptz,
  held_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  updated_at timestamptz NOT NULL DEFAULT now_ms(),
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT needs_pkey PRIMARY KEY (id),
  CONSTRAINT needs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT needs_notices_check CHECK (notices = ANY (ARRAY['at_once'::text, 'daily'::text, 'none'::text]))
);
CREATE INDEX needs_agent ON needs USING btree (agent_id, created_at DESC) WHERE closed_at IS NULL;
CREATE INDEX needs_board ON needs USING btree (created_at DESC) WHERE on_board AND closed_at IS NULL;
CREATE INDEX needs_changed ON needs USING btree (change_xid);
CREATE TRIGGER needs_stamp BEFORE UPDATE ON needs FOR EACH ROW EXECUTE FUNCTION stamp_need();

CREATE TABLE outbox (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  agent_id uuid NOT NULL,
  event text NOT NULL,
  subject_id uuid NOT NULL,
  data json NOT NULL,
  channels text[] NOT NULL,
  created_at timestamptz NOT NULL,
  change_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT outbox_channels_check CHECK (channels <@ '{webhook,notice}'::text[] AND channels <> '{}'::text[]),
  CONSTRAINT outbox_event_check CHECK (event = ANY (ARRAY['lead.created'::text, 'lead.updated'::text, 'listing.published'::text, 'listing.unpublished'::text, 'listing.updated'::text, 'cooperation.created'::text, 'cooperation.updated'::text])),
  CONSTRAINT outbox_identity UNIQUE (event, subject_id, created_at, agent_id)
);
CREATE INDEX outbox_pages ON outbox USING btree (agent_id, id) WHERE 'webhook'::text = ANY (channels);
CREATE INDEX outbox_since ON outbox USING btree (agent_id, change_xid) WHERE 'webhook'::text = ANY (channels);

CREATE TABLE postal_places (
  postal_code text NOT NULL,
  state text NOT NULL,
  municipality_fold text NOT NULL,
  city_fold text NOT NULL,
  name_fold text NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  CONSTRAINT postal_places_postal_code_check CHECK (postal_code ~ '^[0-9]{5}$'::text)
);
CREATE INDEX postal_places_code ON postal_places USING btree (postal_code);
CREATE INDEX postal_places_name ON postal_places USING btree (state, name_fold);

CREATE TABLE price_levels (
  state text NOT NULL,
  city_fold text NOT NULL,
  neighborhood_fold text NOT NULL,
  property_type text NOT NULL,
  operation text NOT NULL,
  currency text NOT NULL,
  median double precision NOT NULL,
  CONSTRAINT price_levels_pkey PRIMARY KEY (state, city_fold, neighborhood_fold, property_type, operation, currency)
);

CREATE TABLE sessions (
  hash bytea NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  address text NOT NULL,
  browser text NOT NULL,
  is_remembered boolean NOT NULL DEFAULT false,
  CONSTRAINT sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT sessions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  CONSTRAINT sessions_hash_check CHECK (length(hash) = 32),
  CONSTRAINT sessions_id_key UNIQUE (id)
);
CREATE INDEX sessions_age ON sessions USING btree (created_at);
CREATE INDEX sessions_agent ON sessions USING btree (agent_id);

CREATE TABLE setting_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  value json,
  changed_at timestamptz NOT NULL DEFAULT now_ms(),
  operator_id uuid,
  CONSTRAINT setting_changes_pkey PRIMARY KEY (id),
  CONSTRAINT setting_changes_name_check CHECK (name = ANY (ARRAY['rate_limit'::text, 'forms_per_address'::text, 'upload_files'::text, 'upload_mb'::text, 'upload_unverified_mb'::text, 'privacy_notice'::text])),
  CONSTRAINT setting_changes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES agents(id)
);
CREATE INDEX setting_changes_latest ON setting_changes USING btree (name, id DESC);

CREATE TABLE settings (
  name text NOT NULL,
  value text NOT NULL,
  CONSTRAINT settings_pkey PRIMARY KEY (name)
);

CREATE VIEW upload_uses AS
 SELECT upload_id(a.photo) AS id,
    a.id AS agent_id,
    NULL::uuid AS listing_id
   FROM agents a
  WHERE a.photo IS NOT NULL
UNION ALL
 SELECT upload_id(r.document) AS id,
    r.agent_id,
    NULL::uuid AS listing_id
   FROM licence_requests r
  WHERE r.document IS NOT NULL
UNION ALL
 SELECT upload_id(g.logo_url) AS id,
    NULL::uuid AS agent_id,
    NULL::uuid AS listing_id
   FROM agencies g
  WHERE g.logo_url IS NOT NULL
UNION ALL
 SELECT upload_id(i.url) AS id,
    l.agent_id,
    l.id AS listing_id
   FROM listing_images i
     JOIN listings l ON l.id = i.listing_id
  WHERE i.kind = 'upload'::text
UNION ALL
 SELECT upload_id(e.file) AS id,
    e.agent_id,
    NULL::uuid AS listing_id
   FROM cooperation_entries e
  WHERE e.file IS NOT NULL
UNION ALL
 SELECT upload_id(m.file) AS id,
    m.agent_id,
    NULL::uuid AS listing_id
   FROM imports m
  WHERE m.file IS NOT NULL;

CREATE TABLE uploads (
  id text NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT uploads_pkey PRIMARY KEY (id),
  CONSTRAINT uploads_bytes_check CHECK (bytes >= 0),
  CONSTRAINT uploads_id_check CHECK (id ~ '^[0-9a-f]{32}$'::text)
);

CREATE TABLE webhook_deliveries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  webhook_id uuid NOT NULL,
  outbox_id bigint,
  event text NOT NULL,
  subject_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  attempted_at timestamptz,
  finished_at timestamptz,
  duration_ms integer,
  status text,
  code integer,
  attempt integer NOT NULL DEFAULT 1,
  due_at timestamptz,
  sent_headers json,
  answer bytea,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_answer_check CHECK (octet_length(answer) <= 1024),
  CONSTRAINT webhook_deliveries_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES outbox(id),
  CONSTRAINT webhook_deliveries_status_check CHECK (status = ANY (ARRAY['ok'::text, 'http 4xx'::text, 'http 5xx'::text, 'error: delivery failed'::text])),
  CONSTRAINT webhook_deliveries_uid_key UNIQUE (uid),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_in_flight ON webhook_deliveries USING btree (webhook_id, subject_id) WHERE attempted_at IS NOT NULL AND finished_at IS NULL;
CREATE INDEX webhook_deliveries_log ON webhook_deliveries USING btree (webhook_id, attempted_at DESC) WHERE attempted_at IS NOT NULL;
CREATE INDEX webhook_deliveries_outbox ON webhook_deliveries USING btree (outbox_id);
CREATE UNIQUE INDEX webhook_deliveries_pending ON webhook_deliveries USING btree (webhook_id, outbox_id) WHERE attempted_at IS NULL;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, id) WHERE attempted_at IS NULL AND due_at IS NULL;

CREATE TABLE webhooks (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret bytea NOT NULL,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  last_status text,
  last_code integer,
  last_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  retries boolean NOT NULL DEFAULT false,
  standard_headers boolean NOT NULL DEFAULT false,
  old_secret bytea,
  overlap_until timestamptz,
  gave_up_at timestamptz,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT webhooks_events_check CHECK (events <> '{}'::text[] AND events <@ '{lead.created,lead.updated,listing.published,listing.unpublished,listing.updated,cooperation.created,cooperation.updated}'::text[]),
  CONSTRAINT webhooks_last_status_check CHECK (last_status = ANY (ARRAY['ok'::text, 'http 4xx'::text, 'http 5xx'::text, 'error: delivery failed'::text])),
  CONSTRAINT webhooks_overlap CHECK ((old_secret IS NULL) = (overlap_until IS NULL)),
  CONSTRAINT webhooks_url UNIQUE (agent_id, url)
);

CREATE TABLE widgets (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  domains text[] NOT NULL,
  lang text NOT NULL DEFAULT 'es'::text,
  active boolean NOT NULL DEFAULT true,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now_ms(),
  CONSTRAINT widgets_pkey PRIMARY KEY (id),
  CONSTRAINT widgets_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT widgets_domains_check CHECK (domains <> '{}'::text[]),
  CONSTRAINT widgets_kind_check CHECK (kind = ANY (ARRAY['listings'::text, 'inquiry'::text])),
  CONSTRAINT widgets_lang_check CHECK (lang = ANY (ARRAY['es'::text, 'en'::text]))
);
CREATE INDEX widgets_agent ON widgets USING btree (agent_id, created_at DESC);

CREATE OR REPLACE FUNCTION public.agency_search_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform request_search_text(a.id) from agents a where a.agency_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.agent_search_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform request_search_text(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_listing_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('listing_changes', pg_current_xact_id()::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_deliveries(seats integer, per_webhook integer, at timestamp with time zone DEFAULT now_ms())
 RETURNS TABLE(id bigint, uid uuid, webhook_id uuid, url text, secret bytea, old_secret bytea, standard_headers boolean, event text, body_at timestamp with time zone, data text)
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(7405466002);

  update webhook_deliveries d set due_at = null, created_at = now_ms() where d.due_at <= at;

  return query
  with recursive waiting as (
    (select d.webhook_id from webhook_deliveries d
     where d.attempted_at is null and d.due_at is null order by d.webhook_id limit 1)
    union all
    select (select d.webhook_id from webhook_deliveries d
            where d.attempted_at is null and d.due_at is null and d.webhook_id > waiting.webhook_id
            order by d.webhook_id limit 1)
    from waiting where waiting.webhook_id is not null
  ),
  chosen as (
    select first.id, w.failures > 0 as is_failing, row_number() over (partition by w.id order by first.id) as turn
    from waiting
    join webhooks w on w.id = waiting.webhook_id and w.active
    join agents a on a.id = w.agent_id and a.verified_at is not null
    cross join lateral (
      select case when w.last_status = 'ok' then per_webhook else 1 end - count(*) as free
      from webhook_deliveries f
      where f.webhook_id = w.id and f.attempted_at is not null and f.finished_at is null
    ) room
    cross join lateral (
      -- The oldest of each subject among the next few: a long queue about one listing hides the others behind
      -- it only for as long as those few take.
      select min(next.id) as id
      from (select n.id, n.subject_id from webhook_deliveries n
            where n.webhook_id = w.id and n.attempted_at is null and n.due_at is null order by n.id limit 50) next
      where room.free > 0 and not exists (
        select from webhook_deliveries f
        where f.webhook_id = w.id and f.subject_id = next.subject_id
          and f.attempted_at is not null and f.finished_at is null)
      group by next.subject_id
      order by min(next.id)
      limit greatest(room.free, 0)
    ) first
    order by is_failing, turn, first.id
    limit seats
  )
  update webhook_deliveries d set attempted_at = now_ms()
  from chosen, webhooks w, outbox o
  where d.id = chosen.id and w.id = d.webhook_id and o.id = d.outbox_id
  returning d.id, d.uid, d.webhook_id, w.url, w.secret, case when w.overlap_until > at then w.old_secret end,
    w.standard_headers, o.event, o.created_at, o.data::text;
end $function$;

CREATE OR REPLACE FUNCTION public.count_takes(keys uuid[], limits bigint[], wanted integer[], made jsonb[])
 RETURNS TABLE(granted integer, counted jsonb)
 LANGUAGE plpgsql
 SET lock_timeout TO '250ms'
AS $function$
declare
  at constant double precision := extract(epoch from clock_timestamp());
  oldest constant integer := floor((at - 600) / 5);
  used bigint;
begin
  for i in 1 .. cardinality(keys) loop
    perform pg_advisory_xact_lock(hashtextextended(keys[i]::text, 0));
    insert into limit_counts as c (key, slot, count)
      select keys[i], floor((at - age::integer) / 5), sum(times::integer)
      from jsonb_each_text(made[i]) as m (age, times) group by 2
      on conflict (key, slot) do update set count = c.count + excluded.count;
    select coalesce(sum(count), 0) into used from limit_counts where key = keys[i] and slot >= oldest;
    granted := greatest(0, least(wanted[i], limits[i] - used));
    if granted > 0 then
      insert into limit_counts as c (key, slot, count) values (keys[i], floor(at / 5), granted)
        on conflict (key, slot) do update set count = c.count + excluded.count;
    end if;
    select coalesce(jsonb_object_agg(round(((slot + 1) * 5 + 600 - at) * 1000), count), '{}') into counted
      from limit_counts where key = keys[i] and slot >= oldest;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.enter_history()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  here text := concat_ws('/', (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()), 'listings'::regclass::oid);
  since text := concat_ws('/', pg_postmaster_start_time(), (select stats_reset from pg_stat_bgwriter));
begin
  if not exists (select from feed_histories where server = here and run = since) then
    insert into feed_histories (server, run) values (here, since) on conflict do nothing;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.is_on_market(listing listings, agent agents)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((listing).status = 'published'::text) AND (NOT (listing).imported) AND is_public(agent));

CREATE OR REPLACE FUNCTION public.is_only_for_tests(agency agencies)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT COALESCE(bool_and(a.is_test), false) AS "coalesce" FROM agents a WHERE (a.agency_id = (is_only_for_tests.agency).id));

CREATE OR REPLACE FUNCTION public.is_public(agency agencies)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((agency).active AND (NOT is_only_for_tests(agency)));

CREATE OR REPLACE FUNCTION public.is_public(agent agents)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((agent).verified_at IS NOT NULL) AND (NOT (agent).is_test));

CREATE OR REPLACE FUNCTION public.is_public(listing listings, agent agents)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (is_on_market(listing, agent) AND (NOT (listing).idx_opt_out));

CREATE OR REPLACE FUNCTION public.is_visible_to(listing listings, owner agents, viewer uuid)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((listing).agent_id = viewer) OR is_public(listing, owner));

CREATE OR REPLACE FUNCTION public.keep_lead_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.lock_agency()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from agencies where id = new.agency_id for share;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.mailbox_of(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(lower(email), '\+[^@]*@'::text, '@'::text);

CREATE OR REPLACE FUNCTION public.next_stamp(previous timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
RETURN GREATEST(now_ms(), (previous + '00:00:00.001'::interval));

CREATE OR REPLACE FUNCTION public.note_price()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.price_lowered_at := case when
      new.sale_price < old.sale_price and new.sale_currency = old.sale_currency
      or new.rent_price < old.rent_price and new.rent_currency = old.rent_currency and new.rent_period = old.rent_period
    then now_ms() end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.now_ms()
 RETURNS timestamp with time zone
 LANGUAGE sql
RETURN date_trunc('milliseconds'::text, clock_timestamp());

CREATE OR REPLACE FUNCTION public.place_for(listing listings, viewer uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN NULLIF(concat_ws(', '::text, CASE WHEN (((listing).agent_id = viewer) OR (listing).show_exact_address) THEN (listing).address ELSE NULL::text END, (listing).neighborhood, (listing).city), ''::text);

CREATE OR REPLACE FUNCTION public.random_version()
 RETURNS bigint
 LANGUAGE sql
RETURN hashtextextended((gen_random_uuid())::text, (0)::bigint);

CREATE OR REPLACE FUNCTION public.record_removals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.shown and (tg_op = 'DELETE' or not new.shown) then
    perform remove_listing(old.id, null);
  end if;
  -- A licensed import is nobody's to see, its agent included.
  if not old.imported and (tg_op = 'DELETE' or new.imported or new.agent_id <> old.agent_id) then
    perform remove_listing(old.id, old.agent_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.removed_at is null and new.removed_at is not null
    and (new.id, new.cooperation_id, new.at, new.kind) = (old.id, old.cooperation_id, old.at, old.kind)
    and (new.agent_id, new.split, new.showing_at) is not distinct from (old.agent_id, old.split, old.showing_at)
  then return new;
  end if;
  raise exception 'entries of a cooperation are never changed';
end $function$;

CREATE OR REPLACE FUNCTION public.remove_listing(listing uuid, viewer uuid)
 RETURNS void
 LANGUAGE sql
BEGIN ATOMIC
 INSERT INTO listing_removals (listing_id, agent_id)
   VALUES (remove_listing.listing, remove_listing.viewer) ON CONFLICT ON CONSTRAINT listing_removals_viewer DO UPDATE SET change_xid = excluded.change_xid, version = excluded.version;
END;

CREATE OR REPLACE FUNCTION public.request_search_text(agent uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- One job however many changes: it reads the names when it runs.
  perform graphile_worker.add_job('search-text', json_build_object('agentId', agent),
    job_key => 'search-text ' || agent);
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_alert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.change_xid := pg_current_xact_id();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A listing and a change of its agent must not pass each other unseen: the lock makes one wait for the other.
  -- (An update needs none: the re-stamping of an agent's listings waits for the row itself.)
  if tg_op = 'INSERT' or new.agent_id is distinct from old.agent_id then
    perform from agents where id = new.agent_id for share;
    perform from agencies where id = (select agency_id from agents where id = new.agent_id) for share;
  end if;
  if tg_op = 'UPDATE' then
    -- These two are in no record.
    old.search := new.search;
    old.reminded_at := new.reminded_at;
  end if;
  if tg_op = 'INSERT' or new is distinct from old then
    new.version := random_version();
  end if;
  new.change_xid := pg_current_xact_id();
  new.shown := (select is_public(new, a) from agents a where a.id = new.agent_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_listing_of_image()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (old.listing_id, new.listing_id) and change_xid <> pg_current_xact_id();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_listings_of_agency()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (
    select l.id from listings l join agents a on a.id = l.agent_id
    where a.agency_id = new.id and l.change_xid <> pg_current_xact_id()
    order by l.id for no key update of l);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_listings_of_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update listings set change_xid = pg_current_xact_id()
  where id in (
    select id from listings
    where agent_id = new.id and change_xid <> pg_current_xact_id()
    order by id for no key update);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_need()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.change_xid := pg_current_xact_id();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stems(words text, folded text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((translate((to_tsvector('spanish'::regconfig, words))::text, 'áàâäãåéèêëíìîïóòôöõúùûüñçýÿ'::text, 'aaaaaaeeeeiiiiooooouuuuncyy'::text))::tsvector || to_tsvector('spanish'::regconfig, folded));

CREATE OR REPLACE FUNCTION public.upload_id(file text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "substring"(file, '([0-9a-f]{32})(?:-[a-z]+)?\.(?:webp|pdf|table)$'::text);
