import { beforeAll, describe, expect, it } from 'vitest'
import { createCollection } from '../../src/collections/service.ts'
import { commissionAmount, percentOfPrice } from '../../src/lib/commission.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { signedInAgent, urlencoded, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()
const DAY = 86_400_000

let owner: TestAgent
let colleague: TestAgent
let me: { agent: TestAgent; visitor: Visitor }
// biome-ignore lint/suspicious/noExplicitAny: answers of the API
const listings: Record<string, any> = {}

beforeAll(async () => {
  owner = await exchange.agent({ name: 'Olga Owner', agency: 'Casas del Sur', phone: '33 1234 5678' })
  me = await signedInAgent(exchange, { name: 'Beto Buscador', agency: 'Norte' })
  colleague = await exchange.agent({ name: 'Carla Colega', agency: 'Norte' })
  const make = async (name: string, agent: TestAgent, fields: Record<string, unknown> = {}) => {
    listings[name] = await exchange.published(agent, { title: `Casa ${name} del mercado`, ...fields })
  }
  await make('quince', owner, {
    shared_commission: 2.5,
    exclusive: true,
    address: 'Av. Secreta 123',
    video_url: 'https://video.example/1',
  })
  await make('treinta', owner, { shared_commission: '3% + IVA', sale_price: 6_000_000 })
  await make('reservada', owner, { shared_commission: '4', idx_opt_out: true })
  await make('parte', owner, {
    shared_commission: '50',
    property_type: 'apartment',
    state: 'Yucatán',
    city: 'Mérida',
  })
  await make('colega', colleague)
  await make('propia', me.agent)
  await exchange.listing(owner, { title: 'Casa borrador ajena' })
  const hidden = await exchange.agent({ test: true })
  await make('prueba', hidden)
  const old = new Date(Date.now() - 40 * DAY)
  await exchange.pool.query('update listings set published_at = $1 where id <> $2', [old, listings.quince.id])
  expect(
    (await exchange.put(`/properties/${listings.treinta.id}`, owner.key, { sale_price: 5_700_000 })).status,
  ).toBe(200)
  await exchange.search.refresh()
})

const found = async (query = '', visitor = me.visitor) => {
  await visitor.open(`/portal/market${query}`)
  return [
    ...new Set([...visitor.html.matchAll(/href="\/portal\/market\/casa-([a-z]+)-/g)].map(match => match[1])),
  ].sort()
}
const ALL = ['colega', 'parte', 'propia', 'quince', 'reservada', 'treinta']

describe('the market', () => {
  it('has what the agent’s key finds, and what is not for other agents’ sites', async () => {
    expect(await found()).toEqual(ALL)
    const ofKey = await exchange.get('/properties', me.agent.key)
    expect(ofKey.body.content.map((one: { title: string }) => one.title.split(' ')[1]).sort()).toEqual(
      ALL.filter(name => name !== 'reservada'),
    )
    expect(me.visitor.text).toContain('No para sitios de otros agentes')
    expect(htmlFaults(me.visitor.html)).toEqual([])
  })

  it.each([
    ['min_commission=3', ['reservada', 'treinta']],
    ['min_commission=2.5', ['quince', 'reservada', 'treinta']],
    ['exclusive=1', ['quince']],
    ['media=1', ['quince']],
    ['fresh=new-7', ['quince']],
    ['fresh=lowered-7', ['treinta']],
    ['fresh=either-7', ['quince', 'treinta']],
    ['not=mine', ALL.filter(name => name !== 'propia')],
    ['not=agency', ALL.filter(name => name !== 'propia' && name !== 'colega')],
    ['type=apartment', ['parte']],
    ['state=Yucat%C3%A1n', ['parte']],
    ['q=treinta', ['treinta']],
    ['min_price=5%2C500%2C000', ['treinta']],
  ])('%s finds %s', async (query, names) => expect(await found(`?${query}`)).toEqual(names))

  it.each(['', '&as=table', '&as=map'])(
    'says how many each value would find, its own filter replaced%s',
    async view => {
      await found(`?state=Jalisco&min_commission=3${view}`)
      const { text } = me.visitor
      expect(text).toMatch(/Jalisco \(2\)/)
      expect(text).toMatch(/Yucatán \(0\)/)
      expect(text).toMatch(/2\.5% o más \(3\)/)
      expect(text).toMatch(/Exclusivas \(0\)/)
      expect(text).toMatch(/Las mías \(2\)/)
    },
  )

  it('shows the commission in percent and money, the days, the price before and the agent', async () => {
    await found('?q=treinta')
    const { text, html } = me.visitor
    expect(text).toContain('3% + IVA = $171,000 MXN')
    expect(text).toContain('40 días')
    expect(text).toMatch(/-5% \$6,000,000 MXN/)
    expect(text).toContain('Olga Owner, Casas del Sur')
    expect(html).toContain('https://wa.me/523312345678?text=')
    expect(html).toContain(`mailto:${owner.email}`)
    expect(html).toContain('tel:+523312345678')
  })

  it('shows a part of a commission as it was written, without money', async () => {
    await found('?q=parte')
    expect(me.visitor.text).toContain('50%')
    expect(me.visitor.text).not.toMatch(/50% = /)
  })

  it('turns typed text into filters', async () => {
    await me.visitor.open('/portal/market?ask=departamento+en+M%C3%A9rida&min_commission=')
    expect(me.visitor.path).toMatch(/^\/portal\/market\?.*type=apartment/)
    expect(await found(me.visitor.path.replace('/portal/market', ''))).toEqual(['parte'])
  })

  it('shows what it understood as chips that can be removed one by one, and says which word it corrected', async () => {
    await me.visitor.open('/portal/market?ask=departmento+en+M%C3%A9rida&exclusive=1&not=mine')
    expect(me.visitor.text).toContain('Resultados para «departamento»; escribiste «departmento».')
    const chips = [...me.visitor.html.matchAll(/<a href="([^"]+)" aria-label="Quitar ([^"]+)"/g)]
    expect(
      chips.map(([, href, text]) => [text, decodeURIComponent(String(href)).replaceAll('&amp;', '&')]),
    ).toEqual([
      ['Departamento', '/portal/market?place=Mérida&exclusive=1&not=mine'],
      ['Mérida', '/portal/market?type=apartment&exclusive=1&not=mine'],
      ['Excluir: Las mías', '/portal/market?type=apartment&place=Mérida&exclusive=1'],
      ['Exclusivas', '/portal/market?type=apartment&place=Mérida&not=mine'],
    ])
    expect(htmlFaults(me.visitor.html)).toEqual([])
  })

  it('leaves out words that nothing on the market mentions, and says so', async () => {
    await me.visitor.open('/portal/market?ask=departamento+xilofono+en+M%C3%A9rida')
    expect(me.visitor.path).not.toContain('q=')
    expect(me.visitor.text).toMatch(/Ninguna propiedad con estos filtros menciona «xil[oó]fono»/)
    expect(me.visitor.text).toContain('Casa parte del mercado')
  })

  it('names every value it does not understand and shows the rest', async () => {
    await me.visitor.open('/portal/market?min_commission=mucha&fresh=ayer&sort=color')
    expect(me.visitor.status).toBe(422)
    expect(me.visitor.text).toMatch(/Comisión compartida: .*Novedades: /)
  })

  it('has an address that a colleague opens and sees the same', async () => {
    await found('?not=mine&min_commission=3&as=table&sort=commission')
    const address = /value="https:\/\/lonja\.example(\/portal\/market\?[^"]+)"/.exec(me.visitor.html)?.[1]
    const { visitor } = await signedInAgent(exchange)
    expect(
      await found((address as string).replace('/portal/market', '').replaceAll('&amp;', '&'), visitor),
    ).toEqual(['reservada', 'treinta'])
  })
})

describe('the table', () => {
  const order = async (sort: string) => {
    await me.visitor.open(`/portal/market?as=table&min_commission=2&sort=${sort}`)
    return [...me.visitor.html.matchAll(/font-medium" href="\/portal\/market\/casa-([a-z]+)-/g)].map(
      match => match[1],
    )
  }

  it('is sorted by its columns', async () => {
    expect(await order('commission')).toEqual(['reservada', 'treinta', 'quince'])
    expect((await order('price_desc'))[0]).toBe('treinta')
    expect((await order('price_asc')).at(-1)).toBe('treinta')
  })

  it('keeps the columns that were chosen', async () => {
    await me.visitor.open('/portal/market?as=table')
    expect(me.visitor.html).toMatch(/<th[^>]*>(<a[^>]*>)?Comisión/)
    await me.visitor.submit('/portal/market/columns', { column: ['lot', 'phone'] })
    expect(me.visitor.path).toBe('/portal/market?as=table')
    expect(me.visitor.html).toMatch(/<th[^>]*>(<a[^>]*>)?Teléfono/)
    expect(me.visitor.html).not.toMatch(/<th[^>]*>(<a[^>]*>)?Comisión/)
    await me.visitor.submit('/portal/market/columns', { column: [] })
    expect(me.visitor.html).toMatch(/<th[^>]*>(<a[^>]*>)?Comisión/)
  })
})

describe('the map', () => {
  it('draws what was found, without scripts too', async () => {
    await me.visitor.request('GET', '/portal/market/map.json?min_commission=4')
    const { marks } = JSON.parse(me.visitor.html)
    expect(marks).toHaveLength(1)
    expect(marks[0]).toContain(listings.reservada.slug)
    await me.visitor.request('GET', '/portal/market/map.svg?min_commission=4')
    expect(me.visitor.html).toMatch(/^<svg/)
  })
})

describe('a listing of the market', () => {
  it('is compared with up to three others', async () => {
    const ids = ['quince', 'treinta', 'parte', 'colega', 'propia'].map(name => `id=${listings[name].id}`)
    await me.visitor.open(`/portal/market/compare?${ids.slice(0, 2).join('&')}`)
    expect(me.visitor.text).toMatch(/2\.5% = \$112,500 MXN/)
    expect(me.visitor.text).toContain('3% + IVA')
    expect(htmlFaults(me.visitor.html)).toEqual([])
    await me.visitor.open(`/portal/market/compare?${ids.join('&')}&id=x&id=`)
    expect(me.visitor.status).toBe(200)
    expect(me.visitor.text).toContain('Puedes comparar hasta cuatro')
    expect(me.visitor.text).not.toContain('Casa propia')
    await me.visitor.open('/portal/market/compare')
    expect(me.visitor.text).toContain('No hay propiedades para comparar')
  })

  it('goes into a collection, unless it is not for other agents’ sites', async () => {
    const id = await createCollection(exchange.db, me.agent.id, { value: { title: 'Para Eva' }, issues: [] })
    await me.visitor.open(`/portal/market/${listings.quince.slug}`)
    await me.visitor.submit(`/portal/market/${listings.quince.slug}/collect`, { collection: id })
    expect(me.visitor.text).toContain('Agregada a la colección.')
    await me.visitor.open(`/portal/market/${listings.reservada.slug}`)
    expect(me.visitor.text).toContain('No se puede agregar a colecciones ni a fichas')
    const fields: [string, string][] = [
      ['_token', me.visitor.token],
      ['collection', id],
    ]
    await me.visitor.request('POST', `/portal/market/${listings.reservada.slug}/collect`, urlencoded(fields))
    expect(me.visitor.status).toBe(404)
    const { rows } = await exchange.pool.query(
      'select listing_id from collection_listings where collection_id = $1',
      [id],
    )
    expect(rows).toEqual([{ listing_id: listings.quince.id }])
  })

  it('has a sheet under the searching agent’s name, without address or commission', async () => {
    await me.visitor.open(`/portal/market/${listings.quince.slug}/sheet`)
    const { text, html } = me.visitor
    expect(text).toContain('Beto Buscador')
    expect(text).toContain('Norte')
    expect(text).toContain('Agente de la propiedad: Olga Owner, Casas del Sur.')
    expect(html).not.toMatch(/Secreta|2\.5|112,500|omisi.n/)
    await exchange.put(`/properties/${listings.quince.id}`, owner.key, { show_exact_address: true })
    await me.visitor.open(`/portal/market/${listings.quince.slug}/sheet`)
    expect(me.visitor.html).not.toContain('Secreta')
    await me.visitor.open(`/portal/market/${listings.reservada.slug}/sheet`)
    expect(me.visitor.status).toBe(403)
  })

  it.each(['borrador', 'de prueba', 'retirada'])('is not found if it is %s', async kind => {
    const agent = kind === 'de prueba' ? await exchange.agent({ test: true }) : owner
    const listing = await (kind === 'borrador' ? exchange.listing(agent) : exchange.published(agent))
    if (kind === 'retirada') await exchange.setStatus(listing.id, 'withdrawn')
    await me.visitor.open(`/portal/market/${listing.slug}`)
    expect(me.visitor.status).toBe(404)
  })
})

describe('an agent who is not verified', () => {
  it('gets an explanation and the way to be verified, and nothing of the market', async () => {
    const { visitor } = await signedInAgent(exchange, { verified: false })
    for (const path of ['/portal/market', `/portal/market/compare?id=${listings.quince.id}`]) {
      await visitor.open(path)
      expect(visitor.status).toBe(200)
      expect(visitor.text).toContain('Disponible con tu licencia verificada')
      expect(visitor.html).toContain('href="/portal/licence"')
      expect(visitor.text).not.toContain('Casa quince')
    }
    for (const path of ['map.json', 'map.svg', listings.quince.slug, `${listings.quince.slug}/sheet`]) {
      await visitor.open(`/portal/market/${path}`)
      expect(visitor.status).toBe(403)
    }
  })
})

describe('a price', () => {
  const loweredAt = async (id: string) =>
    (await exchange.pool.query('select price_lowered_at as at from listings where id = $1', [id])).rows[0].at

  it('counts as lowered until it is raised, and not in a draft or another currency', async () => {
    const listing = await exchange.listing(owner, { sale_price: 100, rent_price: 10 })
    const change = (fields: object) => exchange.put(`/properties/${listing.id}`, owner.key, fields)
    await change({ sale_price: 90 })
    expect(await loweredAt(listing.id)).toBeNull()
    await exchange.post(`/properties/${listing.id}/publish`, owner.key)
    await change({ sale_price: 80, sale_currency: 'USD' })
    expect(await loweredAt(listing.id)).toBeNull()
    await change({ rent_price: 9 })
    expect(await loweredAt(listing.id)).not.toBeNull()
    await change({ title: 'Otro título' })
    expect(await loweredAt(listing.id)).not.toBeNull()
    await change({ rent_price: 11 })
    expect(await loweredAt(listing.id)).toBeNull()
  })
})

describe('a commission', () => {
  it.each([
    ['3', 3],
    ['2.5', 2.5],
    [' 2,5 % ', 2.5],
    ['3% + IVA', 3],
    ['20', 20],
    ['0', 0],
    ['20.01', null],
    ['50', null],
    ['50% de la comisión', null],
    ['3 o 4', null],
    ['', null],
    [null, null],
  ])('%j is %j percent of the price', (text, percent) => expect(percentOfPrice(text)).toBe(percent))

  it('is rounded to cents', () => {
    expect(commissionAmount('2.5', { amount: 3_333_333, currency: 'MXN' })).toBe('$83,333.33 MXN')
    expect(commissionAmount('50', { amount: 100, currency: 'USD' })).toBeUndefined()
  })

  it('is not a parameter of the API', async () => {
    const all = await exchange.get('/properties', me.agent.key)
    const { body } = await exchange.get('/properties?min_commission=19', me.agent.key)
    expect(body.pagination.total).toBe(all.body.pagination.total)
    expect((await exchange.get('/properties?sort=commission', me.agent.key)).status).toBe(422)
  })
})
