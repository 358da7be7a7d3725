import { sql } from 'kysely'
import { newToken } from '../collections/rules.ts'
import type { Db, Tx } from '../db/database.ts'
import { findSetting } from '../db/settings.ts'
import type { Storage } from '../files/storage.ts'
import { normalizePhone } from '../lib/phone.ts'
import { kebab } from '../lib/slug.ts'
import { StartupError } from '../lib/startup-error.ts'
import { foldText } from '../lib/text.ts'
import { LISTING_FIELDS } from '../listings/fields.ts'
import { folds, searchText, visiblePoint } from '../listings/rules.ts'
import { searchVector } from '../listings/store.ts'
import { ensureDemoAccess, isDemoClosed } from './access.ts'
import { homeOf } from './agents.ts'
import { insertAlerts } from './alerts.ts'
import { insertContacts } from './contacts.ts'
import { insertCooperations } from './cooperations.ts'
import { insertLicenseDocuments, insertSetting } from './desk.ts'
import { shoutOnce } from './doctor.ts'
import { insertFeeds } from './feeds.ts'
import { demoId } from './ids.ts'
import { insertImports } from './imports.ts'
import { DEMO_AGENT, DEMO_EMAIL, generateMarket } from './market.ts'
import { insertNeeds } from './needs.ts'
import { insertOffers } from './offers.ts'
import { portraitPath } from './pictures/paths.ts'
import { loweredPriceOf } from './price-changes.ts'
import type { DemoListing, Market } from './types.ts'
import { insertViews } from './views.ts'
import { insertWebhook } from './webhooks.ts'

const SEED = 1
const BATCH = 250
/** Women among the demo's agents, by first name. */
const WOMEN = /^(\p{L}+a|Guadalupe|Itzel) /u

/** Loads the market, its accounts and keys into an empty database; a loaded one only gets what is missing. */
export async function ensureDemo(
  db: Db,
  progress: (line: string) => void,
  { secret, files }: Pick<DemoOptions, 'secret' | 'files'> = {},
): Promise<void> {
  const { agents, demo } = await db
    .selectFrom('agents')
    .select(eb => [
      eb.fn.countAll<number>().as('agents'),
      eb.fn.countAll<number>().filterWhere('email', '=', DEMO_EMAIL).as('demo'),
    ])
    .executeTakeFirstOrThrow()
  if (await isDemoClosed(db)) {
    throw new StartupError(
      'The demo was closed on this data: set LONJA_DATA to another folder for a new one, or run what is here with "bin/lonja serve".',
    )
  }
  if (demo > 0) return ensureDemoAccess(db)
  if (agents === 0) return loadDemo(db, progress, { secret, files })
  throw new StartupError(
    'This database holds other data than the demo: set LONJA_DATA to another folder for the demo, or run what is here with "bin/lonja serve".',
  )
}

interface DemoOptions {
  now?: Date
  secret?: string | undefined
  /** Without it, licenses come without documents. */
  files?: Storage | undefined
}

/** In one transaction: an interrupted first start begins again. */
export async function loadDemo(
  db: Db,
  progress: (line: string) => void,
  { now = new Date(), secret, files }: DemoOptions = {},
): Promise<void> {
  const market = generateMarket({ seed: SEED, now })
  await db.transaction().execute(async tx => {
    await insertPeople(tx, market)
    await insertLicenseRequests(tx, market)
    if (files) await insertLicenseDocuments(tx, files)
    await insertListings(tx, market, progress)
    await insertLeads(tx, market)
    await insertShared(tx)
    await insertWebhook(tx, now, secret)
    await insertFeeds(tx, now, secret)
    await shoutOnce(tx)
    await insertImports(tx, now)
    await insertCooperations(tx, market.now)
    await insertNeeds(tx, market.now)
    await insertOffers(tx, market.now)
    await insertContacts(tx, market.now)
    await insertAlerts(tx, market.now)
    await insertViews(tx, market.now)
    await insertRate(tx, market.now)
    await insertSetting(tx, agoFrom(market.now)(7 * 24 * 60))
  })
  await ensureDemoAccess(db)
}

/** Yesterday's, so that prices can be compared in one currency at once. */
async function insertRate(tx: Tx, now: Date): Promise<void> {
  const day = agoFrom(now)(24 * 60)
    .toISOString()
    .slice(0, 10)
  await tx.insertInto('exchange_rates').values({ day, mxn_per_usd: 17.25, source: 'Demo' }).execute()
}

const agoFrom = (now: Date) => (minutes: number) => new Date(now.getTime() - minutes * 60_000)

async function insertPeople(tx: Tx, { agencies, agents, now }: Market): Promise<void> {
  const ago = agoFrom(now)
  await tx
    .insertInto('agencies')
    .values(
      agencies.map((agency, i) => ({
        id: demoId('agency', i),
        ...agency,
        name_fold: foldText(agency.name),
        slug: kebab(agency.name, 'inmobiliaria'),
      })),
    )
    .execute()
  await tx
    .insertInto('agents')
    .values(
      agents.map(({ agency, verified, created_days_ago, ...agent }, i) => ({
        id: demoId('agent', i),
        ...agent,
        name_fold: foldText(agent.name),
        slug: i === DEMO_AGENT ? kebab(agent.name, 'agente') : `${kebab(agent.name, 'agente')}-${i}`,
        agency_id: agency === null ? null : demoId('agency', agency),
        verified_at: verified ? ago(created_days_ago * 1440) : null,
        password_hash: null,
        // Some have none: initials take its place.
        photo: i % 5 === 4 ? null : portraitPath(i * 2 + Number(WOMEN.test(agent.name))),
        is_agency_admin: i === DEMO_AGENT,
        email_confirmed_at: ago(created_days_ago * 1440),
        created_at: ago(created_days_ago * 1440),
      })),
    )
    .execute()
}

/** Gives the demo's operator licenses to decide on. */
async function insertLicenseRequests(tx: Tx, { agents, now }: Market): Promise<void> {
  const ago = agoFrom(now)
  const waiting = agents.flatMap((agent, i) => (agent.verified ? [] : [{ agent, i }]))
  if (waiting.length === 0) return
  await tx
    .insertInto('licence_requests')
    .values(
      waiting.map(({ agent, i }) => ({
        id: demoId('licence', i),
        agent_id: demoId('agent', i),
        state: agent.license_state ?? homeOf(i),
        authority: 'Secretaría de Desarrollo Económico',
        number: agent.license_number ?? `AI-${1000 + i}`,
        document: null,
        document_type: null,
        created_at: ago((i + 1) * 300),
      })),
    )
    .execute()
}

async function insertListings(tx: Tx, market: Market, progress: (line: string) => void): Promise<void> {
  const pointKey = await findSetting(tx, 'public_point_key')
  const columns = (listing: DemoListing, i: number) => listingColumns(market, pointKey, listing, i)
  const total = market.listings.length
  for (let from = 0; from < total; from += BATCH) {
    const batch = market.listings.slice(from, from + BATCH)
    await tx
      .insertInto('listings')
      .values(batch.map((listing, i) => columns(listing, from + i)))
      .execute()
    const images = batch.flatMap((listing, i) =>
      listing.images.map((url, position) => ({
        listing_id: demoId('listing', from + i),
        position,
        url,
        thumb: url,
      })),
    )
    await tx.insertInto('listing_images').values(images).execute()
    await insertPriceChanges(tx, market, batch, from)
    progress(`Filling the demo market: ${from + batch.length} of ${total} listings`)
  }
}

async function insertPriceChanges(
  tx: Tx,
  { now }: Market,
  batch: DemoListing[],
  from: number,
): Promise<void> {
  const ago = agoFrom(now)
  const changes = batch.flatMap((listing, i) => {
    const lowered = loweredPriceOf(SEED, listing, from + i)
    if (!lowered) return []
    const { field, before, after, minutesAgo } = lowered
    return {
      listing_id: demoId('listing', from + i),
      at: ago(minutesAgo),
      via: 'portal' as const,
      agent_id: demoId('agent', listing.agent),
      action: 'edit' as const,
      fields: JSON.stringify({ [field]: [before, after] }),
    }
  })
  if (changes.length > 0) await tx.insertInto('listing_changes').values(changes).execute()
}

function listingColumns(market: Market, pointKey: string, listing: DemoListing, i: number) {
  const id = demoId('listing', i)
  const agent = market.agents[listing.agent] as Market['agents'][number]
  const agency = agent.agency === null ? undefined : market.agencies[agent.agency]
  const ago = agoFrom(market.now)
  const lowered = loweredPriceOf(SEED, listing, i)
  const point = visiblePoint(pointKey, id, listing)
  const fields = Object.fromEntries(LISTING_FIELDS.map(name => [name, listing[name]])) as Pick<
    DemoListing,
    (typeof LISTING_FIELDS)[number]
  >
  return {
    ...fields,
    ...folds(listing),
    id,
    agent_id: demoId('agent', listing.agent),
    slug: `${kebab(listing.title, 'propiedad')}-${id.slice(0, 6)}`,
    status: listing.status,
    featured: listing.featured,
    imported: listing.imported,
    public_lat: point?.lat ?? null,
    public_lng: point?.lng ?? null,
    search: searchVector(
      searchText(listing, { name: agent.name, agency: agency?.active ? agency.name : null }),
    ),
    created_at: ago(listing.created_minutes_ago),
    updated_at: ago(Math.min(listing.updated_minutes_ago, lowered?.minutesAgo ?? Number.POSITIVE_INFINITY)),
    published_at: listing.published_minutes_ago === null ? null : ago(listing.published_minutes_ago),
    price_lowered_at: lowered ? ago(lowered.minutesAgo) : null,
    confirmed_at: listing.published_minutes_ago === null ? null : ago(listing.updated_minutes_ago),
  }
}

async function insertLeads(tx: Tx, { leads, now }: Market): Promise<void> {
  const ago = agoFrom(now)
  const agoOrNull = (minutes: number | null) => (minutes === null ? null : ago(minutes))
  await tx
    .insertInto('leads')
    .values(
      leads.map((lead, i) => ({
        id: demoId('lead', i),
        agent_id: demoId('agent', lead.agent),
        listing_id: lead.listing === null ? null : demoId('listing', lead.listing),
        name: lead.name,
        email: lead.email,
        phone: lead.phone,
        phone_e164: lead.phone === null ? null : (normalizePhone(lead.phone) ?? null),
        message: lead.message,
        source: lead.source,
        status: lead.status,
        kind: lead.kind,
        lang: lead.lang,
        interest: lead.interest,
        budget_min: lead.budget_min,
        budget_max: lead.budget_max,
        follow_up_at: agoOrNull(lead.follow_up_minutes_ago),
        tour_at: agoOrNull(lead.tour_minutes_ago),
        tour_status: lead.tour_status,
        showing_at: agoOrNull(lead.showing_minutes_ago),
        id_status: lead.id_status,
        awaiting_id: lead.awaiting_id,
        created_at: ago(lead.created_minutes_ago),
        updated_at: ago(lead.updated_minutes_ago),
      })),
    )
    .execute()
}

/** What the demo agent shares: a collection for a family, and two widgets that work on localhost. */
async function insertShared(tx: Tx): Promise<void> {
  const agentId = demoId('agent', DEMO_AGENT)
  const collectionId = demoId('collection', 0)
  await tx
    .insertInto('collections')
    .values({
      id: collectionId,
      agent_id: agentId,
      token: newToken(),
      title: 'Casas con jardín para la familia López',
      message: 'Hola, Eva y Juan: estas son las que mejor quedan con lo que platicamos.',
    })
    .execute()
  await sql`
    insert into collection_listings (collection_id, listing_id, position)
    select ${collectionId}, id, row_number() over (order by is_own desc, id)
    from (
      select l.id, l.agent_id = ${agentId} as is_own from listings l join agents a on a.id = l.agent_id
      where is_public(l, a) and l.property_type = 'house' and 'Jardín' = any(l.features)
      order by is_own desc, l.id limit 6
    ) picked`.execute(tx)
  const widgets = [
    { name: 'Propiedades en mi portada', kind: 'listings' },
    { name: 'Página de contacto', kind: 'inquiry' },
  ] as const
  await tx
    .insertInto('widgets')
    .values(
      widgets.map((widget, i) => ({
        ...widget,
        id: demoId('widget', i),
        agent_id: agentId,
        domains: ['localhost', '127.0.0.1'],
      })),
    )
    .execute()
}
