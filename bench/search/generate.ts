import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { COLONIAS, SHARED_COLONIAS } from '../../src/demo/colonias.ts'
import { CITIES, type City } from '../../src/demo/places.ts'
import { chance, int, normal, pick, type Random, stream } from '../../src/demo/random.ts'
import { foldText, wordsOf } from '../../src/lib/text.ts'
import { AMENITIES } from '../../src/lookups/amenities.ts'
import { PROPERTY_TYPES, type PropertyType } from '../../src/lookups/catalog.ts'
import { makeVocabulary, stemAll, zipf } from './vocabulary.ts'

const AGENTS = 3000
const IMAGES = 3
const BATCH = 500
const SEED = 7
const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 31)

/** Fills an empty, migrated database: triggers and indexes are restored after the rows are inserted. */
export async function generate(url: string, listings: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const r = stream(SEED, 'bench')
  const vocabulary = makeVocabulary(r)
  const places = CITIES.flatMap(city => [city.name, city.municipality, city.state, ...coloniasOf(city)])
  const types = Object.values(PROPERTY_TYPES).map(({ es }) => es)
  const known = [...vocabulary, ...places, ...types, ...AMENITIES.map(({ label }) => label), ...NAMES]
  const lexemes = await stemAll(client, [...new Set(known.flatMap(wordsOf))])

  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'`)
  const { rows: indexes } = await client.query(`
    select indexname, indexdef from pg_indexes
    where tablename in ('listings', 'listing_images') and indexdef not like '%UNIQUE%'`)
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
  const agents = await insertAgents(client)
  const drawing = { vocabulary, lexemes, agents, draw: zipf(vocabulary.length) }
  const ids: string[] = []
  await copy(client, `listings (${COLUMNS.join(', ')})`, listings, 'listings', () => {
    const row = drawListing(r, ids.length, drawing)
    ids.push(row[0] as string)
    return row
  })
  await copy(
    client,
    'listing_images (listing_id, position, url, thumb)',
    ids.length * IMAGES,
    'images',
    n => {
      const image = `https://images.example.mx/lonja/${Math.floor(n / IMAGES)}/${n % IMAGES}.jpg`
      return [ids[Math.floor(n / IMAGES)] as string, n % IMAGES, image, image]
    },
  )
  await client.query(SHOWN)
  for (const { indexname, indexdef } of indexes) {
    process.stderr.write(`\r  indexing ${indexname}${' '.repeat(30)}`)
    await client.query(indexdef)
  }
  await client.query('vacuum analyze')
  process.stderr.write(`\r${' '.repeat(60)}\r`)
  await client.end()
}

/** What triggers would have kept. Rewritten at once: an update would leave a dead row for each. */
const SHOWN = `
  create function pg_temp.is_public(agent uuid) returns boolean language sql stable
    return (select is_public(a) from agents a where a.id = agent);
  alter table listings alter column shown type boolean
    using (status = 'published' and not imported and not idx_opt_out and pg_temp.is_public(agent_id))`

type Value = string | number | boolean | null

async function copy(
  client: pg.Client,
  target: string,
  count: number,
  what: string,
  draw: (n: number) => Value[],
): Promise<void> {
  function* batches() {
    for (let n = 0; n < count; n += BATCH) {
      let text = ''
      for (let i = n; i < Math.min(n + BATCH, count); i++) text += `${draw(i).map(copied).join('\t')}\n`
      if (n % (BATCH * 20) === 0) progress(what, n, count)
      yield text
    }
  }
  await pipeline(
    Readable.from(batches(), { objectMode: true }),
    client.query(copyFrom(`copy ${target} from stdin`)),
  )
  progress(what, count, count)
  process.stderr.write('\n')
}

function progress(what: string, done: number, total: number): void {
  const width = 30
  const full = Math.round((done / total) * width)
  process.stderr.write(
    `\r  ${what.padEnd(10)} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${done} of ${total}`,
  )
}

const copied = (value: Value): string =>
  value === null ? '\\N' : typeof value === 'string' ? value.replaceAll('\\', '\\\\') : String(value)

const NAMES = [
  'Ana',
  'Beto',
  'Carla',
  'Diego',
  'Elena',
  'Torres',
  'López',
  'García',
  'Ruiz',
  'Medina',
  'Solís',
]

async function insertAgents(client: pg.Client): Promise<string[]> {
  await client.query(`insert into agencies (name, name_fold, slug)
    select 'Inmobiliaria ' || n, 'inmobiliaria ' || n, 'inmobiliaria-' || n from generate_series(1, 200) n`)
  const { rows } = await client.query(
    `insert into agents (email, name, name_fold, slug, phone, agency_id, verified_at)
     select 'agent' || n || '@example.mx', 'Ana López', 'ana lopez', 'agente-' || n, '+523312345678',
            (select id from agencies where slug = 'inmobiliaria-' || (n % 230)),
            case when n % 20 > 0 then now() end
     from generate_series(1, $1::int) n returning id`,
    [AGENTS],
  )
  return rows.map(({ id }) => id)
}

const coloniasOf = (city: City): string[] => {
  const { alta, media } = COLONIAS[`${city.state}/${city.name}`] ?? SHARED_COLONIAS
  return [...alta, ...media]
}

// Cities by population, like listings.
const CITY_SUMS: number[] = []
for (const { population } of CITIES) CITY_SUMS.push((CITY_SUMS.at(-1) ?? 0) + population)

function drawCity(r: Random): City {
  const at = r() * (CITY_SUMS.at(-1) as number)
  return CITIES[CITY_SUMS.findIndex(sum => sum >= at)] as City
}

const TYPES: PropertyType[] = [
  'house',
  'house',
  'house',
  'house',
  'apartment',
  'apartment',
  'apartment',
  'land',
  'land',
  'office',
  'commercial',
  'warehouse',
  'ranch',
  'building',
  'other',
]
const LABELS = AMENITIES.map(({ label }) => label)
const drawAmenity = zipf(LABELS.length)

const COLUMNS = [
  'id',
  'agent_id',
  'slug',
  'status',
  'featured',
  'title',
  'description',
  'property_type',
  'sale_price',
  'sale_currency',
  'rent_price',
  'rent_currency',
  'rent_period',
  'bedrooms',
  'bathrooms',
  'parking',
  'construction_m2',
  'lot_m2',
  'features',
  'neighborhood',
  'city',
  'municipality',
  'state',
  'postal_code',
  'lat',
  'lng',
  'public_lat',
  'public_lng',
  'city_fold',
  'neighborhood_fold',
  'title_fold',
  'search',
  'created_at',
  'updated_at',
  'published_at',
  'external_id',
]

interface Drawing {
  vocabulary: string[]
  lexemes: Map<string, string[]>
  agents: string[]
  draw: (r: Random) => number
}

function drawListing(r: Random, n: number, { vocabulary, lexemes, agents, draw }: Drawing): Value[] {
  const city = drawCity(r)
  const colonia = pick(r, coloniasOf(city))
  const type = pick(r, TYPES)
  const isHome = type === 'house' || type === 'apartment'
  const isRental = chance(r, 0.3)
  const isSale = !isRental || chance(r, 0.1)
  const currency = chance(r, 0.1) ? 'USD' : 'MXN'
  const price = Math.round(Math.exp(normal(r, 15, 0.8)) / 10_000) * 10_000 + 50_000
  const features = [...new Set(Array.from({ length: int(r, 0, 8) }, () => LABELS[drawAmenity(r)] as string))]
  const title = `${PROPERTY_TYPES[type].es} en ${isSale ? 'venta' : 'renta'} ${pick(r, ['con jardín', 'con alberca', 'amplia', 'nueva', 'cerca del centro', 'con vista al mar', 'de lujo'])} en ${colonia}`
  const body = Array.from({ length: int(r, 25, 85) }, () => vocabulary[draw(r)] as string).join(' ')
  const lat = Math.round((city.lat + normal(r, 0, 0.04)) * 1e6) / 1e6
  const lng = Math.round((city.lng + normal(r, 0, 0.04)) * 1e6) / 1e6
  const created = NOW - Math.floor(r() ** 2 * 600 * 24 * 60) * MINUTE - (n % MINUTE)
  const published = created + int(r, 0, 1000) * MINUTE
  return [
    uuid(r),
    agents[Math.floor(r() ** 2 * agents.length)] as string,
    `propiedad-${n}`,
    chance(r, 0.93) ? 'published' : pick(r, ['draft', 'sold', 'withdrawn', 'expired']),
    chance(r, 0.02),
    title,
    body,
    type,
    isSale ? price : null,
    isSale ? currency : null,
    isRental ? Math.round(price / 200 / 100) * 100 + 1000 : null,
    isRental ? currency : null,
    isRental ? 'monthly' : null,
    isHome ? int(r, 1, 6) : null,
    isHome ? int(r, 2, 8) / 2 : null,
    isHome ? int(r, 0, 4) : null,
    type === 'land' ? null : int(r, 45, 600),
    type === 'apartment' ? null : int(r, 90, 2000),
    `{${features.map(label => `"${label}"`).join(',')}}`,
    colonia,
    city.name,
    city.municipality,
    city.state,
    '44100',
    lat,
    lng,
    lat,
    lng,
    foldText(city.name),
    foldText(colonia),
    foldText(title),
    vectorOf(lexemes, [
      title,
      `${colonia} ${city.name} ${city.municipality} ${city.state}`,
      `${PROPERTY_TYPES[type].es} ${features.join(' ')}`,
      `${body} Ana López`,
    ]),
    new Date(created).toISOString(),
    new Date(published + int(r, 0, 20_000) * MINUTE).toISOString(),
    new Date(published).toISOString(),
    `EXT-${n}`,
  ]
}

/** A tsvector as text: title A, place B, features C, description D. */
function vectorOf(lexemes: Map<string, string[]>, parts: string[]): string {
  const found = new Map<string, string[]>()
  let position = 0
  for (const [i, part] of parts.entries()) {
    for (const word of wordsOf(part)) {
      position++
      for (const lexeme of lexemes.get(word) ?? []) {
        const positions = found.get(lexeme)
        const at = `${position}${'ABC'[i] ?? ''}`
        if (positions) positions.push(at)
        else found.set(lexeme, [at])
      }
    }
  }
  return [...found].map(([lexeme, positions]) => `'${lexeme}':${positions.join(',')}`).join(' ')
}

function uuid(r: Random): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(r() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}
