import { beforeAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { KINDS, type Kind } from '../../src/doctor/rules.ts'
import { dismiss, examineChanged, fix } from '../../src/doctor/service.ts'
import { hasContact, inSentences, isShouted, withoutContact } from '../../src/doctor/texts.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { until } from '../support/receiver.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const query = async <T>(text: string, values: unknown[] = []) =>
  (await exchange.pool.query(text, values)).rows as T[]
/** Until nothing is left: changes wait for transactions that are still open, also those of other tests. */
async function run(): Promise<number> {
  let examined = 0
  await until(async () => {
    examined += await examineChanged(exchange.db, new Date())
    const [{ left = 0 } = {}] = await query<{ left: number }>(
      `select count(*)::int as left from listings l, doctor_position p where (l.change_xid, l.id) > (p.change_xid, p.listing_id)`,
    )
    return left === 0
  })
  return examined
}

interface Found {
  listing_id: string
  kind: Kind
  other_id: string | null
}
const findings = () => query<Found>('select listing_id, kind, other_id from findings order by 1, 2')
const kindsOf = async (id: string) =>
  (await findings()).filter(({ listing_id }) => listing_id === id).map(({ kind }) => kind)

describe('the demo market', () => {
  const planted = new Map<string, Kind>()

  /** A fault in published listings of the demo that are still right. */
  async function plant(kind: Kind, count: number, where: string, change: string): Promise<void> {
    const rows = await query<{ id: string }>(
      `update listings l set ${change} where l.id in (
         select l.id from listings l where l.status = 'published' and not l.imported and l.id <> all($1::uuid[]) and ${where}
         order by md5(l.id::text) limit ${count}) returning l.id`,
      [[...planted.keys()]],
    )
    expect(rows, kind).toHaveLength(count)
    for (const { id } of rows) planted.set(id, kind)
  }

  /** A listing of another agent, made from one of the demo; returns its id. */
  async function copyOf(kind: Kind, other: TestAgent, where: string, changes: object): Promise<void> {
    const [row] = await query<{ id: string; from_id: string }>(
      `insert into listings
       select (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'agent_id', $2::uuid, 'external_id', null,
         'slug', 'copia-' || l.slug, 'title', 'Otra vez ' || l.title) || $3::jsonb)).*
       from listings l where l.status = 'published' and not l.imported and not l.idx_opt_out and l.id <> all($1::uuid[]) and ${where}
       order by md5(l.id::text) limit 1
       returning id, (select id from listings o where 'copia-' || o.slug = listings.slug) as from_id`,
      [[...planted.keys()], other.id, JSON.stringify(changes)],
    )
    expect(row, kind).toBeDefined()
    for (const id of [row?.id, row?.from_id]) planted.set(id as string, kind)
    if (kind === 'same_photos') {
      await query(
        `insert into listing_images (listing_id, kind, url, thumb, position)
         select $1, kind, url, thumb, position from listing_images where listing_id = $2 and position < 3`,
        [row?.id, row?.from_id],
      )
    }
  }

  beforeAll(async () => {
    await loadDemo(exchange.db, () => {})
    expect(await run()).toBeGreaterThan(1_700)
  }, 120_000)

  it('is in order but for the demo agent’s shouted draft and, at most, two of a hundred listings', async () => {
    const [{ count = 0 } = {}] = await query<{ count: number }>(
      `select count(*)::int as count from listings where status in ('draft', 'published') and not imported`,
    )
    expect(count).toBeGreaterThan(1_500)
    expect((await findings()).filter(({ kind }) => kind === 'capitals')).toHaveLength(1)
    expect(new Set((await findings()).map(({ listing_id }) => listing_id)).size).toBeLessThan(0.02 * count)
  })

  it('with faults of every kind: each is found, and hardly anything else', async () => {
    const before = new Set((await findings()).map(({ listing_id, kind }) => `${listing_id} ${kind}`))
    const other = await exchange.agent()
    const usual = `(select p.median::numeric from price_levels p where p.state = l.state and p.city_fold = l.city_fold
      and p.neighborhood_fold = '' and p.property_type = l.property_type and p.operation = 'sale' and p.currency = 'MXN')`
    const priced = `l.sale_currency = 'MXN' and l.rent_price is null and l.property_type in ('house', 'apartment')
      and l.construction_m2 * ${usual} > 1500000`
    await plant('price_per_m2', 10, priced, `sale_price = round(10 * construction_m2 * ${usual})`)
    await plant('price_per_m2', 5, priced, `sale_price = round(construction_m2 * ${usual} / 10)`)
    await plant('sale_like_rent', 10, priced, 'sale_price = 12500 + 100 * bedrooms')
    await plant(
      'outside_state',
      10,
      `l.lat is not null and l.state in ('Yucatán', 'Jalisco', 'Nuevo León', 'Quintana Roo')`,
      'lat = 29.07, lng = -110.95, public_lat = 29.07, public_lng = -110.95',
    )
    await plant(
      'outside_city',
      5,
      `l.lat is not null and exists (select from city_centers c where c.state = l.state and c.city_fold = l.city_fold)
       and l.city in ('Hermosillo', 'Chihuahua', 'Durango', 'Zapopan', 'Guadalajara', 'Monterrey')`,
      'lat = lat - 0.75, public_lat = public_lat - 0.75',
    )
    await plant('capitals', 10, 'true', 'title = upper(title)')
    await plant(
      'contact',
      5,
      'l.description is not null',
      `description = description || ' Informes al 55 1234 5678.'`,
    )
    await plant(
      'contact',
      5,
      'l.description is not null',
      `description = 'Escribe a ana@example.com. ' || description`,
    )
    const hasPhotos = '(select count(*) from listing_images i where i.listing_id = l.id) >= 3'
    for (let i = 0; i < 4; i++) {
      await copyOf('same_photos', other, `${hasPhotos} and l.property_type = 'apartment'`, {
        lat: null,
        lng: null,
        public_lat: null,
        public_lng: null,
      })
      await copyOf(
        'same_house',
        other,
        `l.property_type = 'house' and l.lat is not null and l.construction_m2 is not null`,
        {},
      )
    }
    await run()
    const found = await findings()
    const missed = [...planted].filter(
      ([id, kind]) => !found.some(one => one.listing_id === id && one.kind === kind),
    )
    expect(missed.map(([, kind]) => kind)).toEqual([])
    expect(new Set(planted.values()).size).toBe(KINDS.length)
    const alarms = found.filter(
      ({ listing_id, kind }) => planted.get(listing_id) !== kind && !before.has(`${listing_id} ${kind}`),
    )
    const [{ count = 0 } = {}] = await query<{ count: number }>('select count(*)::int as count from listings')
    expect(alarms.length / count, JSON.stringify(alarms.slice(0, 5))).toBeLessThan(0.02)
  }, 60_000)
})

describe('findings', () => {
  const SHOUTED = {
    title: 'CASA CON JARDÍN EN PROVIDENCIA',
    description: 'HERMOSA CASA CON ALBERCA. TEL. 33 1234 5678',
  }
  const HOUSE_AREA = { construction_m2: 213, bedrooms: 3 }
  let owner: { agent: TestAgent; visitor: Visitor }

  beforeAll(async () => {
    owner = await signedInAgent(exchange)
  })

  it('are shown on the listing and in the list, and one click corrects them', async () => {
    const { agent, visitor } = owner
    const { id } = await exchange.published(agent, SHOUTED)
    await run()
    expect(await kindsOf(id)).toEqual(['capitals', 'contact'])
    await visitor.open('/portal/listings')
    expect(visitor.text).toContain('Por revisar (1)')
    await visitor.open('/portal/doctor')
    expect(visitor.text).toContain('Está escrita en mayúsculas.')
    await visitor.open(`/portal/listings/${id}`)
    await visitor.submit(`/portal/doctor/${id}/contact/fix`)
    expect(visitor.path).toBe(`/portal/listings/${id}`)
    expect(visitor.text).not.toContain('incluye un teléfono')
    await visitor.submit(`/portal/doctor/${id}/capitals/fix`)
    expect(await kindsOf(id)).toEqual([])
    const { body } = await exchange.get(`/properties/${id}`, agent.key)
    expect([body.title, body.description]).toEqual([
      'Casa con jardín en providencia',
      'Hermosa casa con alberca.',
    ])
    const [event] = (await exchange.events(id)).slice(-1)
    expect(event?.event).toBe('listing.updated')
  })

  it('that are right are dismissed, until their figures change', async () => {
    const { agent, visitor } = owner
    const { id } = await exchange.published(agent, { sale_price: 18_500 })
    await run()
    await visitor.open('/portal/doctor')
    expect(visitor.text).toContain('$18,500 MXN) parece una renta')
    await visitor.submit(`/portal/doctor/${id}/sale_like_rent/dismiss`)
    expect(visitor.text).not.toContain('parece una renta')
    await exchange.put(`/properties/${id}`, agent.key, { bedrooms: 2 })
    await run()
    await visitor.open('/portal/doctor')
    expect(visitor.text).not.toContain('parece una renta')
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: 19_500 })
    await run()
    await visitor.open('/portal/doctor')
    expect(visitor.text).toContain('$19,500 MXN) parece una renta')
    await exchange.put(`/properties/${id}`, agent.key, { sale_price: 1_950_000 })
    await run()
    expect(await kindsOf(id)).toEqual([])
  })

  it('of another agent are neither shown, corrected nor dismissed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(owner.agent, SHOUTED)
    await run()
    await visitor.open('/portal/doctor')
    expect(visitor.text).toContain('Todo en orden')
    await expect(fix(exchange.db, agent.id, id, 'capitals')).rejects.toThrow('not_found')
    await expect(dismiss(exchange.db, agent.id, id, 'contact', null)).rejects.toThrow('not_found')
    expect(await kindsOf(id)).toEqual(['capitals', 'contact'])
  })

  it('tell both agents and the operator of the same house, and neither of one that is not for other sites', async () => {
    const { agent, visitor } = owner
    const other = await signedInAgent(exchange)
    const place = { lat: 20.7012, lng: -103.3899 }
    const mine = await exchange.published(agent, { ...HOUSE_AREA, ...place, title: 'Casa de doña Ana' })
    const theirs = await exchange.published(other.agent, {
      ...HOUSE_AREA,
      lat: place.lat + 0.0004,
      lng: place.lng,
      sale_price: 4_650_000,
      title: 'Residencia en Providencia',
    })
    await run()
    expect([await kindsOf(mine.id), await kindsOf(theirs.id)]).toEqual([['same_house'], ['same_house']])
    await visitor.open(`/portal/listings/${mine.id}`)
    expect(visitor.text).toContain('«Residencia en Providencia»')
    await other.visitor.open('/portal/doctor')
    expect(other.visitor.text).toContain('«Casa de doña Ana»')
    const desk = await signedInAgent(exchange)
    await setOperator(exchange.db, desk.agent.email, true)
    await desk.visitor.open('/portal/operator/duplicates')
    expect(desk.visitor.text).toContain(agent.email)
    expect(desk.visitor.text).toContain(other.agent.email)

    await exchange.put(`/properties/${theirs.id}`, other.agent.key, { idx_opt_out: true })
    await run()
    await visitor.open(`/portal/listings/${mine.id}`)
    expect(visitor.text).not.toContain('Residencia en Providencia')
    await exchange.delete(`/properties/${theirs.id}`, other.agent.key)
    await run()
    expect(await kindsOf(mine.id)).toEqual([])
  })
})

describe('texts', () => {
  it.each([
    'Llama al 55 1234 5678',
    'Cel. 33-1234-5678, a cualquier hora',
    'WhatsApp +52 1 81 1234 5678',
    '(998) 123 4567',
    'Tel:5512345678',
    'ana.torres+casas@inmuebles.example.mx',
  ])('with a phone or a mail: %s', text => {
    expect(hasContact(text)).toBe(true)
    expect(hasContact(withoutContact(text))).toBe(false)
  })

  it.each([
    'Precio $12,500,000.00 MXN',
    'Terreno de 10000 m2 con 2500 m2 de construcción',
    'A 5 minutos de la playa, 3 recámaras, 2.5 baños',
    'C.P. 44630, calle 27 #1234',
    'Clave catastral 0123456789012345',
    'De 2015 a 2024; mantenimiento de 1,250 al mes',
  ])('without: %s', text => {
    expect(hasContact(text)).toBe(false)
  })

  it('lose phones and mail addresses, and what announced them, and nothing else', () => {
    expect(
      withoutContact('Casa amplia. Tel. 55 1234 5678. Con jardín, correo: ana@example.com, y alberca.'),
    ).toBe('Casa amplia. Con jardín, y alberca.')
  })

  it('are shouted if most letters are capitals, and become sentences', () => {
    expect([isShouted('CASA EN VENTA EN POLANCO'), isShouted('Casa en CDMX'), isShouted('PH')]).toEqual([
      true,
      false,
      false,
    ])
    expect(inSentences('HERMOSA CASA EN LA CDMX. TIENE ALBERCA.\n¡VISÍTALA!')).toBe(
      'Hermosa casa en la CDMX. Tiene alberca.\n¡Visítala!',
    )
  })
})
