// Made by `npm run db:types` from the migrations: do not edit.
import type { ColumnType, Generated } from 'kysely'

/** Filled by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>
type ReadOnly<T> = ColumnType<T, never, never>

export interface Database {
  agencies: AgencyTable
  agency_invitations: AgencyInvitationTable
  agent_tokens: AgentTokenTable
  agents: AgentTable
  alert_matches: AlertMatcheTable
  alerts: AlertTable
  api_keys: ApiKeyTable
  audit_log: AuditLogTable
  city_centers: CityCenterTable
  collection_listings: CollectionListingTable
  collections: CollectionTable
  cooperation_entries: CooperationEntryTable
  cooperations: CooperationTable
  doctor_position: DoctorPositionTable
  exchange_rates: ExchangeRateTable
  feed_histories: FeedHistoryTable
  feeds: FeedTable
  figure_mails: FigureMailTable
  findings: FindingTable
  form_uses: FormUseTable
  identifications: IdentificationTable
  import_memories: ImportMemoryTable
  import_rows: ImportRowTable
  import_source_items: ImportSourceItemTable
  import_sources: ImportSourceTable
  imports: ImportTable
  kept_answers: KeptAnswerTable
  lead_handovers: LeadHandoverTable
  lead_listings: LeadListingView
  lead_notes: LeadNoteTable
  lead_tasks: LeadTaskTable
  leads: LeadTable
  letters: LetterTable
  licence_requests: LicenceRequestTable
  limit_counts: LimitCountTable
  limit_processes: LimitProcesseTable
  listing_changes: ListingChangeTable
  listing_figures: ListingFigureTable
  listing_images: ListingImageTable
  listing_removals: ListingRemovalTable
  listings: ListingTable
  migrations: MigrationTable
  need_digests: NeedDigestTable
  need_matches: NeedMatcheTable
  need_position: NeedPositionTable
  needs: NeedTable
  outbox: OutboxTable
  postal_places: PostalPlaceTable
  price_levels: PriceLevelTable
  sessions: SessionTable
  setting_changes: SettingChangeTable
  settings: SettingTable
  upload_uses: UploadUseView
  uploads: UploadTable
  webhook_deliveries: WebhookDeliveryTable
  webhooks: WebhookTable
  widgets: WidgetTable
}

interface AgencyTable {
  id: Generated<string>
  name: string
  name_fold: string
  slug: string
  logo_url: string | null
  active: Generated<boolean>
  created_at: Stamp
  phone: string | null
  website: string | null
  about: string | null
}

interface AgencyInvitationTable {
  id: Generated<string>
  agency_id: string
  email: string
  assists_id: string | null
  invited_by: string
  created_at: Stamp
}

interface AgentTokenTable {
  hash: Buffer
  agent_id: string
  purpose: 'confirm' | 'reset'
  expires_at: Date
}

interface AgentTable {
  id: Generated<string>
  email: string
  name: string
  name_fold: string
  slug: string
  phone: string | null
  agency_id: string | null
  license_number: string | null
  license_state: string | null
  verified_at: Date | null
  in_directory: Generated<boolean>
  is_test: Generated<boolean>
  lang: Generated<'es' | 'en'>
  password_hash: string | null
  created_at: Stamp
  is_operator: Generated<boolean>
  email_confirmed_at: Date | null
  license_authority: string | null
  agency_wanted: string | null
  is_agency_admin: Generated<boolean>
  bio: string | null
  languages: Generated<string[]>
  photo: string | null
  calendar_key: Generated<string>
  assists_id: string | null
}

interface AlertMatcheTable {
  alert_id: string
  listing_id: string
  matched_at: Stamp
  mail: number | null
}

interface AlertTable {
  id: Generated<string>
  email: string | null
  lang: 'es' | 'en'
  query: string
  pace: 'at_once' | 'daily'
  consent_at: Date
  consent_notice: string
  created_at: Stamp
  confirmed_at: Date | null
  used_at: Date | null
  warned_at: Date | null
  stopped_at: Date | null
  is_waiting: Generated<boolean>
  mailed_at: Date | null
  change_xid: Generated<string>
}

interface ApiKeyTable {
  id: Generated<string>
  agent_id: string
  label: string
  prefix: string
  hash: Buffer
  scopes: string[]
  created_at: Stamp
  last_used_at: Date | null
  revoked_at: Date | null
}

interface AuditLogTable {
  id: Generated<number>
  at: Stamp
  operator_id: string | null
  action: string
  subject: string
  subject_id: string | null
  note: string | null
}

interface CityCenterTable {
  state: string
  city_fold: string
  lat: number
  lng: number
}

interface CollectionListingTable {
  collection_id: string
  listing_id: string
  position: number
}

interface CollectionTable {
  id: Generated<string>
  agent_id: string
  token: string
  title: string
  message: string | null
  lang: Generated<'es' | 'en'>
  active: Generated<boolean>
  created_at: Stamp
  updated_at: Stamp
}

interface CooperationEntryTable {
  id: Generated<number>
  cooperation_id: string
  at: Stamp
  agent_id: string | null
  kind:
    | 'propose'
    | 'accept'
    | 'counter'
    | 'decline'
    | 'withdraw'
    | 'expire'
    | 'message'
    | 'file'
    | 'attach'
    | 'identify'
    | 'share'
    | 'showing'
    | 'offer'
    | 'close'
    | 'lose'
    | 'dispute'
    | 'resolve'
  text: string | null
  split: string | null
  showing_at: Date | null
  file: string | null
  removed_at: Date | null
  digest: string | null
}

interface CooperationTable {
  id: Generated<string>
  listing_id: string
  buyer_agent_id: string
  owner_id: string
  state: Generated<
    'proposed' | 'accepted' | 'showing' | 'offer' | 'closed' | 'declined' | 'withdrawn' | 'lost' | 'expired'
  >
  awaited: 'buyer' | 'owner' | null
  awaited_since: Stamp
  client: string
  lead_id: string | null
  wish: string | null
  split: string
  client_shared_at: Date | null
  showing_at: Date | null
  disputed_at: Date | null
  created_at: Stamp
  updated_at: Stamp
  proposed_by: Generated<'buyer' | 'owner'>
  need_id: string | null
}

interface DoctorPositionTable {
  is_only: Generated<boolean>
  change_xid: Generated<string>
  listing_id: Generated<string>
  levels_at: Date | null
}

interface ExchangeRateTable {
  day: string
  mxn_per_usd: number
  source: string
  stored_at: Stamp
}

interface FeedHistoryTable {
  id: Generated<number>
  token: Generated<string>
  server: string
  run: string
  change_xid: Generated<string>
}

interface FeedTable {
  id: Generated<string>
  agent_id: string
  name: string
  format: 'json' | 'ndjson' | 'csv' | 'rss' | 'trovit' | 'meta'
  source: 'own' | 'agency' | 'collection'
  collection_id: string | null
  token_hash: Buffer
  token: Buffer
  created_at: Stamp
  read_at: Date | null
  read_client: string | null
  read_network: string | null
}

interface FigureMailTable {
  agent_id: string
  week: Generated<string>
  is_stopped: Generated<boolean>
}

interface FindingTable {
  listing_id: string
  kind:
    | 'price_per_m2'
    | 'outside_state'
    | 'outside_city'
    | 'same_photos'
    | 'same_house'
    | 'sale_like_rent'
    | 'capitals'
    | 'contact'
  other_id: string | null
  detail: ColumnType<Record<string, string | number>, string, string>
  found_at: Stamp
  dismissed_at: Date | null
}

interface FormUseTable {
  hash: Buffer
  lead_id: string
  used_at: Stamp
}

interface IdentificationTable {
  lead_id: string
  token_hash: Buffer | null
  token_expires_at: Date | null
  details: Buffer | null
  picture: Buffer | null
  submitted_at: Date | null
  status: Generated<'asked' | 'submitted' | 'verified' | 'refused'>
  reason: string | null
  decided_at: Date | null
  decided_by: string | null
  erased_at: Date | null
  created_at: Stamp
}

interface ImportMemoryTable {
  agent_id: string
  columns: ColumnType<Record<string, string>, string, string>
}

interface ImportRowTable {
  import_id: string
  number: number
  cells: ColumnType<unknown, string, never>
  external_id: string | null
  result: 'created' | 'changed' | 'unchanged' | 'refused' | 'unpublished' | null
  issues: ColumnType<unknown, string | undefined, string>
  notes: ColumnType<unknown, string | undefined, string>
  listing_id: string | null
  before: ColumnType<unknown, string | null | undefined, string | null>
  after: Date | null
  undone: boolean | null
}

interface ImportSourceItemTable {
  source_id: string
  external_id: string
  missing: Generated<boolean>
}

interface ImportSourceTable {
  id: Generated<string>
  agent_id: string
  kind: 'feed' | 'easybroker'
  name: string
  url: string | null
  key: Buffer | null
  created_at: Stamp
  next_at: Stamp
  trusted: Generated<boolean>
}

interface ImportTable {
  id: Generated<string>
  agent_id: string
  name: string
  file: string | null
  phase:
    | 'reading'
    | 'columns'
    | 'checking'
    | 'ready'
    | 'running'
    | 'done'
    | 'undoing'
    | 'undone'
    | 'failed'
    | 'canceled'
  columns: ColumnType<unknown, string | undefined, string>
  publishes: Generated<boolean>
  total: Generated<number>
  position: Generated<number>
  counts: ColumnType<Record<string, number>, string | undefined, string>
  issues: ColumnType<unknown, string | undefined, string>
  created_at: Stamp
  finished_at: Date | null
  source_id: string | null
  unpublishes: Generated<boolean>
}

interface KeptAnswerTable {
  agent_id: string
  key: Buffer
  part: number
  request: Buffer
  status: number
  headers: ColumnType<Record<string, string>, string, never>
  body: string
  lead_id: string | null
  at: Stamp
}

interface LeadHandoverTable {
  id: Generated<string>
  lead_id: string
  from_id: string
  to_id: string
  by_id: string
  at: Stamp
}

interface LeadListingView {
  lead_id: ReadOnly<string | null>
  is_own: ReadOnly<boolean | null>
  is_public: ReadOnly<boolean | null>
  title: ReadOnly<string | null>
  slug: ReadOnly<string | null>
  place: ReadOnly<string | null>
  public_title: ReadOnly<string | null>
  whereabouts: ReadOnly<{ state: string; city: string; municipality: string | null } | null>
}

interface LeadNoteTable {
  id: Generated<string>
  lead_id: string
  at: Stamp
  text: string
}

interface LeadTaskTable {
  id: Generated<string>
  lead_id: string
  text: string
  due_at: Date
  reminded_at: Date | null
  done_at: Date | null
  created_at: Stamp
}

interface LeadTable {
  id: Generated<string>
  agent_id: string
  listing_id: string | null
  name: string
  email: string | null
  phone: string | null
  phone_e164: string | null
  message: string | null
  source: string
  status: Generated<'new' | 'contacted' | 'qualified' | 'showing' | 'negotiation' | 'won' | 'lost'>
  kind: Generated<'info' | 'tour'>
  lang: Generated<'es' | 'en'>
  interest: 'sale' | 'rental' | null
  budget_min: number | null
  budget_max: number | null
  follow_up_at: Date | null
  tour_at: Date | null
  tour_status: 'requested' | 'confirmed' | 'done' | 'cancelled' | 'no_show' | null
  showing_at: Date | null
  id_status: 'verified' | 'pending' | null
  awaiting_id: Generated<boolean>
  created_at: Stamp
  updated_at: Stamp
  erased_at: Date | null
  consent_at: Date | null
  consent_notice: string | null
  listing_title: string | null
  listing_slug: string | null
  listing_place: string | null
  told_showing_at: Date | null
  told_at: Date | null
}

interface LetterTable {
  recipient: Buffer
  is_known: boolean
  at: Date
}

interface LicenceRequestTable {
  id: Generated<string>
  agent_id: string
  state: string
  authority: string
  number: string
  document: string | null
  document_type: 'application/pdf' | 'image/webp' | null
  status: Generated<'pending' | 'verified' | 'refused'>
  reason: string | null
  created_at: Stamp
  decided_at: Date | null
  decided_by: string | null
}

interface LimitCountTable {
  key: string
  slot: number
  count: number
}

interface LimitProcesseTable {
  id: string
  seen_at: Date
}

interface ListingChangeTable {
  id: Generated<number>
  listing_id: string
  at: Stamp
  via: 'api' | 'portal' | 'operator' | 'system'
  agent_id: string | null
  action:
    | 'create'
    | 'edit'
    | 'photos'
    | 'publish'
    | 'reconfirm'
    | 'unpublish'
    | 'withdraw'
    | 'sell'
    | 'rent'
    | 'expire'
    | 'suspend'
    | 'lift'
  fields: ColumnType<Record<string, [unknown, unknown]>, string | undefined, never>
}

interface ListingFigureTable {
  listing_id: string
  day: string
  source: string
  views: Generated<number>
  contacts: Generated<number>
  favorites: Generated<number>
  shares: Generated<number>
  appearances: Generated<number>
}

interface ListingImageTable {
  id: Generated<string>
  listing_id: string
  position: number
  kind: Generated<'url' | 'upload'>
  url: string
  thumb: string
  alt: string | null
}

interface ListingRemovalTable {
  listing_id: string
  agent_id: string | null
  change_xid: Generated<string>
  version: Generated<number>
}

interface ListingTable {
  id: Generated<string>
  agent_id: string
  slug: string
  status: Generated<'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'>
  featured: Generated<boolean>
  imported: Generated<boolean>
  title: string
  description: string | null
  title_en: string | null
  description_en: string | null
  property_type: Generated<
    'house' | 'apartment' | 'land' | 'office' | 'commercial' | 'warehouse' | 'ranch' | 'building' | 'other'
  >
  sale_price: number | null
  sale_currency: 'MXN' | 'USD' | null
  rent_price: number | null
  rent_currency: 'MXN' | 'USD' | null
  rent_period: 'monthly' | 'weekly' | 'daily' | 'yearly' | null
  bedrooms: number | null
  bathrooms: number | null
  half_bathrooms: number | null
  parking: number | null
  construction_m2: number | null
  lot_m2: number | null
  year_built: number | null
  floors: number | null
  features: Generated<string[]>
  address: string | null
  neighborhood: string | null
  city: string
  municipality: string | null
  state: string
  postal_code: string | null
  lat: number | null
  lng: number | null
  show_exact_address: Generated<boolean>
  idx_opt_out: Generated<boolean>
  video_url: string | null
  virtual_tour_url: string | null
  exclusive: Generated<boolean>
  shared_commission: string | null
  internal_id: string | null
  external_id: string | null
  public_lat: number | null
  public_lng: number | null
  city_fold: string
  neighborhood_fold: string | null
  title_fold: string
  search: string
  created_at: Stamp
  updated_at: Stamp
  published_at: Date | null
  confirmed_at: Date | null
  change_xid: Generated<string>
  reminded_at: Date | null
  version: Generated<number>
  shown: Generated<boolean>
  price_lowered_at: Date | null
}

interface MigrationTable {
  name: string
  sha256: string
  applied_at: Stamp
}

interface NeedDigestTable {
  agent_id: string
  day: string
}

interface NeedMatcheTable {
  need_id: string
  listing_id: string
  matched_at: Stamp
  lowered_at: Date | null
  is_current: Generated<boolean>
  dismissed_at: Date | null
  announced_at: Date | null
  mail_id: string | null
}

interface NeedPositionTable {
  id: Generated<boolean>
  history: Generated<string>
  snapshot: Generated<string>
  holds: Generated<number>
}

interface NeedTable {
  id: Generated<string>
  agent_id: string
  client: string | null
  note: string | null
  query: string
  places: Generated<string[]>
  on_board: Generated<boolean>
  notices: Generated<'at_once' | 'daily' | 'none'>
  until: Date
  closed_at: Date | null
  held_at: Date | null
  created_at: Stamp
  updated_at: Stamp
  change_xid: Generated<string>
}

interface OutboxTable {
  id: Generated<number>
  agent_id: string
  event:
    | 'lead.created'
    | 'lead.updated'
    | 'listing.published'
    | 'listing.unpublished'
    | 'listing.updated'
    | 'cooperation.created'
    | 'cooperation.updated'
  subject_id: string
  data: ColumnType<unknown, string, never>
  channels: string[]
  created_at: Date
  change_xid: Generated<string>
}

interface PostalPlaceTable {
  postal_code: string
  state: string
  municipality_fold: string
  city_fold: string
  name_fold: string
  lat: number
  lng: number
}

interface PriceLevelTable {
  state: string
  city_fold: string
  neighborhood_fold: string
  property_type: string
  operation: string
  currency: string
  median: number
}

interface SessionTable {
  hash: Buffer
  id: Generated<string>
  agent_id: string
  created_at: Date
  seen_at: Date
  address: string
  browser: string
  is_remembered: Generated<boolean>
}

interface SettingChangeTable {
  id: Generated<number>
  name:
    | 'rate_limit'
    | 'forms_per_address'
    | 'upload_files'
    | 'upload_mb'
    | 'upload_unverified_mb'
    | 'privacy_notice'
  value: ColumnType<unknown, string | null, never>
  changed_at: Stamp
  operator_id: string | null
}

interface SettingTable {
  name: string
  value: string
}

interface UploadUseView {
  id: ReadOnly<string | null>
  agent_id: ReadOnly<string | null>
  listing_id: ReadOnly<string | null>
}

interface UploadTable {
  id: string
  bytes: number
  stored_at: Stamp
}

interface WebhookDeliveryTable {
  id: Generated<number>
  uid: Generated<string>
  webhook_id: string
  outbox_id: number | null
  event: string
  subject_id: string
  created_at: Stamp
  attempted_at: Date | null
  finished_at: Date | null
  duration_ms: number | null
  status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed' | null
  code: number | null
  attempt: Generated<number>
  due_at: Date | null
  sent_headers: ColumnType<[string, string][] | null, string | undefined, string | null>
  answer: Buffer | null
}

interface WebhookTable {
  id: Generated<string>
  agent_id: string
  url: string
  events: string[]
  secret: Buffer
  active: Generated<boolean>
  created_at: Stamp
  last_status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed' | null
  last_code: number | null
  last_at: Date | null
  failures: Generated<number>
  retries: Generated<boolean>
  standard_headers: Generated<boolean>
  old_secret: Buffer | null
  overlap_until: Date | null
  gave_up_at: Date | null
}

interface WidgetTable {
  id: Generated<string>
  agent_id: string
  name: string
  kind: 'listings' | 'inquiry'
  domains: string[]
  lang: Generated<'es' | 'en'>
  active: Generated<boolean>
  revoked_at: Date | null
  created_at: Stamp
}
