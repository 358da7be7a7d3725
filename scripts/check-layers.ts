/** Checks every file of src/ against the layers in docs/architecture.md. Also fails if there was nothing to check. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Folders, judgeImports } from './layers/imports.ts'
import { judgeTables } from './layers/tables.ts'

const SRC = resolve(import.meta.dirname, '../src')

const BASE = ['lib', 'db', 'lookups', 'http', 'outbox', 'idempotency']
/** Imports of a portal page. */
const PORTAL = [...BASE, 'ui', 'files', 'portal']
/** Imports of a public page. */
const SITE = [...BASE, 'ui', 'files', 'site', 'site/map']

/**
 * Every folder, and the folders it may import. Only the files at the top of src/, `cli` and `jobs` may import
 * everything: they wire the rest together.
 */
const FOLDERS: Folders = {
  '.': 'all',
  cli: 'all',
  jobs: 'all',

  lib: [],
  db: ['lib', '.'],
  http: ['lib', 'db'],
  lookups: ['lib', 'db', 'http'],
  outbox: ['lib', 'db'],
  idempotency: ['lib', 'db', 'http'],
  files: ['lib', 'http', 'db'],
  metrics: ['lib', 'http'],
  traces: ['http'],
  backup: ['lib', 'db', 'files'],
  ui: ['lib', 'files'],

  portal: [...BASE, 'ui', 'files'],
  'portal/home': [
    ...PORTAL,
    'agents',
    'agents/licenses',
    'agents/profiles',
    'alerts',
    'cooperation',
    'keys',
    'leads',
    'leads/contacts',
    'listings',
    'needs',
    'webhooks',
  ],

  agents: [...BASE, 'portal', 'agents/accounts', 'agents/agencies'],
  'agents/accounts': [...BASE, 'portal', 'agents'],
  'agents/accounts/portal': [
    ...PORTAL,
    'agents/accounts',
    'agents/licenses/portal',
    'agents/profiles/portal',
  ],
  'agents/agencies': BASE,
  'agents/agencies/operator': [...PORTAL, 'agents/operator'],
  'agents/licenses': [...BASE, 'files', 'agents'],
  'agents/licenses/portal': [...PORTAL, 'agents', 'agents/licenses', 'agents/profiles/portal'],
  'agents/licenses/operator': [...PORTAL, 'agents/licenses', 'agents/licenses/portal'],
  'agents/profiles': [...BASE, 'files', 'agents', 'agents/accounts', 'agents/agencies'],
  'agents/profiles/portal': [...PORTAL, 'agents', 'agents/profiles'],
  'agents/operator': [
    ...PORTAL,
    'agents',
    'agents/agencies',
    'agents/agencies/operator',
    'agents/licenses/operator',
    'agents/teams',
    'listings',
    'leads',
  ],
  'agents/teams': [...BASE, 'agents'],
  'agents/teams/portal': [...PORTAL, 'agents/teams', 'leads', 'leads/portal', 'listings', 'listings/portal'],
  'agents/public': [...SITE, 'agents', 'leads/visitors'],

  keys: [...BASE, 'agents'],
  'keys/portal': [...PORTAL, 'keys', 'agents'],
  'keys/operator': [...PORTAL, 'keys'],

  listings: [...BASE, 'files', 'agents'],
  'listings/portal': [
    ...PORTAL,
    'doctor',
    'doctor/portal',
    'figures',
    'figures/portal',
    'listings',
    'leads',
    'needs',
    'places',
  ],
  'listings/operator': [...PORTAL, 'listings', 'listings/portal'],
  'listings/public': [...SITE, 'listings', 'rates', 'search', 'search/suggest', 'leads/visitors'],

  doctor: [...BASE, 'listings'],
  'doctor/portal': [...PORTAL, 'doctor'],
  'doctor/operator': [...PORTAL, 'doctor'],

  rates: [...BASE, 'imports/sources'],
  'rates/operator': [...PORTAL, 'rates'],

  places: [...BASE, 'listings'],

  limits: ['lib', 'db', 'http'],

  settings: BASE,
  'settings/operator': [...PORTAL, 'settings'],

  search: [
    ...BASE,
    'agents',
    'rates',
    'listings',
    'search/engine',
    'search/feed',
    'search/text',
    'search/understand',
    'search/places',
    'search/sql',
    'search/suggest',
  ],
  'search/sql': [
    ...BASE,
    'listings',
    'search',
    'search/engine',
    'search/feed',
    'search/places',
    'search/understand',
  ],
  'search/suggest': [
    ...BASE,
    'agents',
    'listings',
    'search',
    'search/engine',
    'search/places',
    'search/understand',
  ],
  'search/engine': [...BASE, 'search', 'search/feed', 'search/places'],
  'search/places': BASE,
  'search/understand': [...BASE, 'search', 'search/engine', 'search/places'],
  'search/feed': [...BASE, 'search/engine'],
  'search/text': [...BASE, 'search', 'search/places', 'search/understand'],
  'search/matching': [...BASE, 'search', 'search/engine', 'search/feed', 'search/places', 'search/text'],

  sync: [...BASE, 'search', 'search/engine', 'search/feed'],

  events: [...BASE, 'search', 'search/feed', 'sync', 'webhooks', 'leads', 'cooperation'],

  leads: [...BASE, 'listings', 'leads/contacts', 'leads/identification', 'cooperation/thread', 'needs'],
  'leads/portal': [...PORTAL, 'leads', 'leads/identification/portal'],
  'leads/operator': [...PORTAL, 'alerts', 'leads', 'leads/identification', 'leads/identification/portal'],
  'leads/contacts': [...BASE, 'leads'],
  'leads/contacts/portal': [...PORTAL, 'leads', 'leads/contacts', 'leads/portal'],
  'leads/calendar': [...BASE, 'agents', 'cooperation'],
  'leads/calendar/portal': [...PORTAL, 'agents', 'leads/calendar', 'leads/portal'],
  'leads/identification': [...BASE, 'leads'],
  'leads/identification/portal': [...PORTAL, 'leads', 'leads/identification', 'leads/visitors'],
  'leads/identification/public': [...SITE, 'leads/identification'],
  'leads/visitors': [...BASE, 'ui', 'leads', 'leads/identification', 'site'],
  'leads/public': [...SITE, 'leads/visitors', 'agents', 'listings', 'listings/public'],

  collections: [...BASE, 'agents', 'listings'],
  'collections/portal': [...PORTAL, 'collections', 'site'],
  'collections/public': [
    ...SITE,
    'collections',
    'agents',
    'leads/public',
    'leads/visitors',
    'listings/public',
  ],

  widgets: [...BASE, 'agents'],
  'widgets/portal': [...PORTAL, 'widgets'],
  'widgets/operator': [...PORTAL, 'widgets'],
  'widgets/public': [...SITE, 'widgets', 'agents', 'leads/visitors'],

  feeds: [...BASE, 'agents', 'collections', 'listings', 'feeds/formats'],
  'feeds/formats': ['lib', 'lookups', 'feeds', 'listings'],
  'feeds/portal': [...PORTAL, 'feeds', 'collections'],
  'feeds/operator': [...PORTAL, 'feeds'],
  'feeds/public': [...BASE, 'feeds'],

  imports: [...BASE, 'files', 'agents', 'listings', 'imports/reading', 'imports/sources', 'webhooks/sender'],
  'imports/sources': ['lib', 'lookups', 'listings', 'imports', 'imports/reading', 'webhooks/sender'],
  'imports/reading': ['lib'],
  'imports/portal': [...PORTAL, 'imports', 'imports/reading', 'listings/portal', 'webhooks/sender'],

  market: [...BASE, 'agents', 'listings', 'search'],
  'market/portal': [
    ...PORTAL,
    'agents',
    'market',
    'collections',
    'needs',
    'listings/public',
    'search',
    'site',
    'site/map',
  ],

  needs: [...BASE, 'agents', 'market', 'search', 'search/matching', 'search/places'],
  'needs/portal': [...PORTAL, 'needs', 'market', 'market/portal', 'listings', 'site', 'search'],

  figures: BASE,
  'figures/portal': [...PORTAL, 'figures'],
  'figures/public': [...SITE, 'figures', 'listings'],

  alerts: [...BASE, 'leads/visitors', 'search', 'search/matching'],
  'alerts/public': [...SITE, 'alerts', 'leads/visitors', 'listings/public'],

  cooperation: [
    ...BASE,
    'files',
    'agents',
    'listings',
    'leads',
    'leads/identification',
    'needs',
    'cooperation/thread',
  ],
  'cooperation/thread': BASE,
  'cooperation/portal': [...PORTAL, 'cooperation', 'leads', 'listings', 'market', 'needs', 'needs/portal'],
  'cooperation/operator': [...PORTAL, 'cooperation', 'cooperation/portal', 'cooperation/thread'],

  webhooks: [...BASE, 'agents', 'webhooks/sender'],
  'webhooks/sender': ['lib'],
  'webhooks/dispatch': [...BASE, 'webhooks', 'webhooks/sender'],
  'webhooks/portal': [...PORTAL, 'agents', 'webhooks', 'webhooks/sender'],
  'webhooks/operator': [...PORTAL, 'webhooks', 'webhooks/portal'],

  notices: [
    ...BASE,
    'agents',
    'alerts',
    'figures',
    'agents/licenses',
    'agents/teams',
    'cooperation',
    'listings',
    'listings/public',
    'leads',
    'leads/contacts',
    'leads/identification',
    'needs',
    'site',
    'webhooks',
  ],

  site: [
    ...BASE,
    'ui',
    'settings',
    'site/map',
    'agents',
    'figures',
    'listings',
    'search',
    'search/understand',
    'leads/visitors',
  ],
  'site/map': [...BASE, 'site'],
  'site/pages': [...SITE, 'agents', 'alerts', 'listings', 'leads', 'leads/visitors', 'settings'],

  demo: [
    ...BASE,
    'files',
    'demo/pictures',
    'agents',
    'keys',
    'leads/visitors',
    'listings',
    'collections',
    'cooperation',
    'feeds',
    'imports',
    'webhooks',
    'webhooks/sender',
  ],
  'demo/pictures': ['demo', 'files', ...BASE],
}

/** Every table and view, and the noun whose folder has exclusive access; others call that noun's service. */
const OWNERS: Record<string, string> = {
  migrations: 'db',
  settings: 'db',
  agents: 'agents',
  agent_tokens: 'agents',
  agencies: 'agents',
  agency_invitations: 'agents',
  licence_requests: 'agents',
  api_keys: 'keys',
  listings: 'listings',
  listing_images: 'listings',
  listing_changes: 'listings',
  exchange_rates: 'rates',
  setting_changes: 'settings',
  limit_counts: 'limits',
  limit_processes: 'limits',
  postal_places: 'places',
  listing_removals: 'search',
  feed_histories: 'search',
  leads: 'leads',
  lead_listings: 'leads',
  lead_notes: 'leads',
  lead_tasks: 'leads',
  lead_handovers: 'leads',
  form_uses: 'leads',
  identifications: 'leads',
  collections: 'collections',
  collection_listings: 'collections',
  widgets: 'widgets',
  feeds: 'feeds',
  findings: 'doctor',
  price_levels: 'doctor',
  city_centers: 'doctor',
  doctor_position: 'doctor',
  imports: 'imports',
  import_rows: 'imports',
  import_memories: 'imports',
  import_sources: 'imports',
  import_source_items: 'imports',
  needs: 'needs',
  need_matches: 'needs',
  need_position: 'search',
  listing_figures: 'figures',
  figure_mails: 'figures',
  alerts: 'alerts',
  alert_matches: 'alerts',
  need_digests: 'needs',
  cooperations: 'cooperation',
  cooperation_entries: 'cooperation',
  outbox: 'outbox',
  webhooks: 'webhooks',
  webhook_deliveries: 'webhooks',
  uploads: 'files',
  upload_uses: 'files',
  letters: 'outbox',
  kept_answers: 'idempotency',
  sessions: 'portal',
  audit_log: 'portal',
}

/** Justified joins across nouns. */
const READERS = {
  feed_histories: { db: 'whether a replica has the history of the primary' },
  agents: {
    files: 'the quota of an account is larger once its agent is verified',
    listings: 'a listing is shown with its agent, and is public only if its agent is',
    search: 'the index is read in one snapshot',
    leads: 'the name and the phone of the agent who answers',
    keys: 'a key works only while its agent is verified: one read for each request',
    portal: 'a session with its agent: one read for each page',
    collections: 'shared only while its agent is public',
    widgets: 'shown only while its agent is public',
    feeds: 'read only while its agent is public, with the agency',
    webhooks: 'delivered only while its agent is verified',
    outbox: 'delivered only while its agent is verified',
    cooperation: 'both sides by name, in lists and mail',
    doctor: 'the agent of a duplicate',
    figures: 'mail to verified agents only',
    needs: 'the board names its agents, and only verified ones have needs',
    settings: 'who changed a setting, by name',
  },
  agencies: { listings: 'a listing is shown with the agency of its agent' },
  listings: {
    files: 'photos of a suspended listing are not public',
    search: 'the index is read in one snapshot',
    collections: 'what is_public lets through, when it is put in and when it is shown',
    cooperation: 'its listing by title, in lists and mail',
    doctor: 'facts of whole batches, and what is usual in the market',
    figures: 'counts of the agent’s own listings, by title',
    needs: 'a match is of one version of a listing; by title in mail',
  },
  listing_images: { doctor: 'photos that two listings share' },
  leads: {
    cooperation: 'the client of a showing, in the calendars of both agents',
    collections: 'how many leads each one brought',
    widgets: 'how many leads each one brought, those with the most first',
  },
  outbox: {
    webhooks: 'the log of deliveries shows what was sent',
    events: 'the API lists what was appended',
  },
  webhook_deliveries: { events: 'each event with how its delivery went' },
  webhooks: { outbox: 'an event and its deliveries are one statement' },
}

const WRITERS = {
  listings: {
    agents: 'what appears or vanishes with its agent counts as changed',
    search: 'after a restore it restamps change_xid, which it owns',
  },
  outbox: { search: 'after a restore it restamps change_xid' },
  webhook_deliveries: { outbox: 'an event and its deliveries are one statement' },
}

/** The demo market is written in bulk; a backup is all tables. */
const EVERYWHERE = ['backup', 'demo']

const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
const sources = names.map(name => ({ name, text: readFileSync(join(SRC, name), 'utf8') }))
const layers = judgeImports(sources, FOLDERS)
const tables = judgeTables(sources, readFileSync(join(SRC, '../db/schema.sql'), 'utf8'), {
  owners: OWNERS,
  readers: READERS,
  writers: WRITERS,
  everywhere: EVERYWHERE,
})
const complaints = [...layers.complaints, ...tables.complaints]
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  process.exit(1)
}
console.log(
  `Layers: ${sources.length} files judged (all), ${layers.imports} imports, violations 0, circles 0 (type-only included), tables owned ${tables.tables} (all).`,
)
