import { beforeAll, describe, expect, it } from 'vitest'
import { setRate } from '../../src/rates/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
let reader: TestAgent

const titles = async (query: string) => {
  const { status, body } = await exchange.get(`/properties?${query}`, reader.key)
  expect(status).toBe(200)
  return body.content.map((one: { title: string }) => one.title)
}
const ask = async (text: string, more = '') =>
  (await exchange.get(`/properties?ask=${encodeURIComponent(text)}${more}`, reader.key)).body

beforeAll(async () => {
  agent = await exchange.agent()
  reader = await exchange.agent()
  const place = { state: 'Ciudad de México', city: 'Cuauhtémoc' }
  const home = { property_type: 'apartment', rent_price: 18_000, sale_price: null }
  await exchange.published(agent, {
    ...home,
    ...place,
    title: 'Luminoso dos',
    neighborhood: 'Roma Norte',
    bedrooms: 2,
    lat: 19.416,
    lng: -99.162,
  })
  await exchange.published(agent, {
    ...home,
    ...place,
    title: 'Amplio tres',
    neighborhood: 'Roma Sur',
    bedrooms: 3,
  })
  await exchange.published(agent, {
    ...home,
    title: 'Mediana',
    state: 'Nuevo León',
    city: 'Monterrey',
    municipality: 'Guadalupe',
    bedrooms: 1,
  })
  await exchange.published(agent, {
    title: 'Casa con vista',
    property_type: 'house',
    sale_price: 2_500_000,
    state: 'Baja California Sur',
    city: 'Cabo San Lucas',
    features: ['Alberca'],
  })
  await exchange.published(agent, {
    title: 'Casa en dólares',
    property_type: 'house',
    sale_price: 1_900_000,
    sale_currency: 'USD',
    state: 'Guanajuato',
    city: 'San Miguel de Allende',
    neighborhood: 'Centro',
    lat: 20.9144,
    lng: -100.7452,
    show_exact_address: true,
  })
  for (const [title, lat, lng] of [
    ['Casa del túnel', 21.0171, -101.2536],
    ['Casa de la plaza', 21.0181, -101.2526],
  ] as const)
    await exchange.published(agent, {
      ...{ title, lat, lng, show_exact_address: true, property_type: 'house', sale_price: 2_000_000 },
      ...{ state: 'Guanajuato', city: 'Guanajuato', neighborhood: 'Centro' },
    })
  await exchange.post('/properties', agent.key, {
    title: 'Borrador oculto',
    state: 'Sonora',
    city: 'Guaymas',
    neighborhood: 'Miramar secreto',
    sale_price: 1,
  })
  await exchange.search.refresh()
})

describe('GET /properties?ask=', () => {
  it('finds what is meant, says how it was understood, and puts the exact number of bedrooms first', async () => {
    const { content, understood, pagination } = await ask('depa de 2 recámaras en renta en la roma')
    expect(content.map((one: { title: string }) => one.title)).toEqual(['Luminoso dos', 'Amplio tres'])
    expect(pagination.total).toBe(2)
    expect(understood).toEqual({
      parameters: { type: ['apartment'], min_bedrooms: ['2'], operation: ['rental'], place: ['Roma'] },
      pieces: expect.arrayContaining([{ text: 'depa', parameter: 'type', value: 'apartment' }]),
      text: '',
      corrections: [],
      left_out: null,
    })
  })

  it('lets filters beside it win', async () => {
    const { content } = await ask('depa 2 recamaras roma', '&min_bedrooms=3')
    expect(content.map((one: { title: string }) => one.title)).toEqual(['Amplio tres'])
  })

  it('corrects a mistyped place and says so', async () => {
    const { understood, pagination } = await ask('monterey')
    expect(understood.corrections).toEqual([{ from: 'monterey', to: 'monterrey' }])
    expect(pagination.total).toBe(1)
  })

  it('leaves out words that would leave nothing, and says so', async () => {
    const { understood, pagination } = await ask('casa los cabos con minigolf')
    expect([pagination.total, understood.left_out]).toEqual([1, 'minigolf'])
  })

  it('leaves out only the words that find nothing with the others', async () => {
    const { content, understood } = await ask('casa minigolf túnel boliche')
    expect(content.map((one: { title: string }) => one.title)).toEqual(['Casa del túnel'])
    expect(understood.left_out).toBe('minigolf boliche')
  })

  it('leaves out both words of a name that is not known', async () => {
    await exchange.published(agent, {
      title: 'Frente al puerto',
      property_type: 'land',
      state: 'Veracruz',
      city: 'Boca del Río',
    })
    const { understood } = await ask('boca del río puerto morelos')
    expect(understood.left_out).toBe('puerto morelos')
  })

  it('takes an amount of rent for one by the month, unless another period is named', async () => {
    const home = { property_type: 'apartment', sale_price: null, state: 'Sinaloa', city: 'Mazatlán' }
    await exchange.published(agent, { ...home, title: 'Por noche', rent_price: 900, rent_period: 'daily' })
    await exchange.published(agent, { ...home, title: 'Por mes', rent_price: 9_000 })
    const found = async (text: string) => {
      const { content, understood } = await ask(text)
      return [content.map((one: { title: string }) => one.title), understood.parameters.rent_period]
    }
    expect(await found('depa en mazatlan hasta 10 mil')).toEqual([['Por mes'], ['monthly']])
    expect(await found('depa en mazatlan hasta 1,000 por noche')).toEqual([['Por noche'], ['daily']])
    expect(await titles('city=Mazatl%C3%A1n&rent_period=daily')).toEqual(['Por noche'])
    const sale = await ask('depa hasta 10 mil', '&operation=sale')
    expect(sale.understood.parameters.rent_period).toBeUndefined()
  })

  it('finds the listing whose reference is typed, and no draft by its own', async () => {
    const { id } = await exchange.published(agent, {
      title: 'Con clave',
      property_type: 'warehouse',
      external_id: 'CLV-00542',
    })
    await exchange.post('/properties', agent.key, { title: 'Borrador', external_id: 'CLV-00543' })
    for (const typed of ['CLV-00542', 'clave clv-00542', 'me interesa la CLV-00542.']) {
      const { content, understood } = await ask(typed)
      expect(content.map((one: { id: string }) => one.id)).toEqual([id])
      expect(understood.parameters).toEqual({ ids: [id] })
    }
    // A word of a question that happens to be a reference does not take it over.
    await exchange.published(agent, {
      title: 'Otra clave',
      property_type: 'warehouse',
      external_id: 'CLV-00544',
    })
    expect((await ask('depa clv-00544')).understood.parameters).toEqual({ type: ['apartment'] })
    for (const typed of ['CLV-005', 'CLV-00543']) expect((await ask(typed)).understood.parameters).toEqual({})
  })

  it('leaves out the narrower place that would leave nothing, and says so, but never a place that was sent', async () => {
    const { understood, pagination } = await ask('casa en roma norte, los cabos')
    expect([pagination.total, understood.left_out]).toEqual([1, 'Roma Norte'])
    const sent = await ask('casa en roma norte', '&place=Roma+Norte,+Los+Cabos')
    expect([sent.pagination.total, sent.understood.left_out]).toEqual([0, null])
  })

  it('finds what is in either of two places, and says which', async () => {
    const { understood, pagination } = await ask('casa o depa en roma norte o monterrey o los cabos')
    expect(pagination.total).toBe(3)
    expect(understood.parameters.place).toEqual(['Roma Norte o Monterrey o Los Cabos'])
    expect(understood.left_out).toBeNull()
  })

  it('takes amounts for pesos: dollars are converted, or left out while no rate is known', async () => {
    const found = async () => {
      const { content, understood, rate } = await ask('casa en guanajuato de menos de 3 millones')
      const { price_in: priceIn, currency } = understood.parameters
      return [content.map((one: { title: string }) => one.title).sort(), priceIn, currency, rate?.mxn_per_usd]
    }
    const inPesos = ['Casa de la plaza', 'Casa del túnel']
    expect(await found()).toEqual([inPesos, undefined, ['MXN'], undefined])
    const rate = { day: '2026-01-30', mxn_per_usd: '17.5', source: 'Banco de México, FIX' }
    await setRate(exchange.db, rate, new Date('2026-02-01'))
    expect(await found()).toEqual([inPesos, ['MXN'], undefined, 17.5])
    const dollars = await ask('casa en guanajuato de menos de 3 millones de dolares')
    expect(dollars.content.map((one: { title: string }) => one.title).sort()).toEqual([
      'Casa de la plaza',
      'Casa del túnel',
      'Casa en dólares',
    ])
    expect(dollars.understood.parameters.price_in).toEqual(['USD'])
  })

  it('takes "cerca del centro" for the center of the city that is named, or for any', async () => {
    const near = async (text: string) => {
      const { content, understood } = await ask(text)
      const { lat, lng, radius_km: km } = understood.parameters
      return [content.map((one: { title: string }) => one.title).sort(), lat?.[0], lng?.[0], km?.[0]]
    }
    const inGuanajuato = ['Casa de la plaza', 'Casa del túnel']
    const anywhere = [[...inGuanajuato, 'Casa en dólares'], undefined, undefined, undefined]
    expect(await near('casa cerca del centro')).toEqual(anywhere)
    const spot = ['21.0176', '-101.2531', '3']
    expect(await near('casa cerca del centro de guanajuato')).toEqual([inGuanajuato, ...spot])
    expect(await near('casa cerca del centro de san miguel de allende')).toEqual([
      ['Casa en dólares'],
      '20.9144',
      '-100.7452',
      '3',
    ])
  })

  it('finds none of those with an amenity that is not wanted', async () => {
    const { content, understood } = await ask('casa en los cabos sin alberca')
    expect([content, understood.parameters.exclude_features]).toEqual([[], ['Alberca']])
  })

  it('goes on by Link to the next page of the same search', async () => {
    const first = await exchange.get('/properties?ask=depa+roma&limit=1', reader.key)
    const next = /<[^>]*(\/properties[^>]*)>/.exec(first.headers.link as string)?.[1] as string
    const second = await exchange.get(next, reader.key)
    expect(second.body.content).toHaveLength(1)
    expect(second.body.content[0].id).not.toBe(first.body.content[0].id)
  })

  it('goes on by Link also when listings with the exact number of bedrooms come first', async () => {
    const titles: string[] = []
    let path = '/properties?ask=depa+con+2+recamaras+en+roma&limit=1'
    for (let i = 0; path && i < 5; i++) {
      const { status, body, headers } = await exchange.get(path, reader.key)
      expect(status, JSON.stringify(body)).toBe(200)
      titles.push(...body.content.map((one: { title: string }) => one.title))
      path = /<[^>]*(\/properties[^>]*)>/.exec((headers.link as string) ?? '')?.[1] ?? ''
    }
    expect(titles).toEqual(['Luminoso dos', 'Amplio tres'])
  })

  it.each([
    'casa 4111111111111111 pesos',
    'menos de 1000000000000000000000000',
    'terreno 0.0000001 m2',
    'terreno 99999999999 m2',
    'mas de 5 millones menos de 3 millones',
    Array.from({ length: 25 }, (_, i) => `jalisco ${i % 2 ? 'sonora' : 'morelos'}`).join(' '),
  ])('answers what cannot be searched for, and says that it was left out: %s', async text => {
    const { status, body } = await exchange.get(
      `/properties?ask=${encodeURIComponent(text.slice(0, 300))}`,
      reader.key,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.understood.left_out).toBeTruthy()
    for (const piece of body.understood.pieces)
      expect(body.understood.parameters).toHaveProperty(piece.parameter)
  })

  it('lets a limit beside it win over one that contradicts it', async () => {
    const { pagination, understood } = await ask('casa de 2 a 3 millones', '&max_price=1000000')
    expect([pagination.total, understood.left_out]).toEqual([0, 'de 2 a 3 millones'])
  })

  it('shows a name as a public listing writes it, not as a draft does, also near it', async () => {
    const place = { state: 'Sonora', city: 'Navojoa' }
    const draft = { ...place, title: 'Borrador de la colonia', neighborhood: 'LAS DELICIAS', sale_price: 1 }
    await exchange.post('/properties', agent.key, draft)
    const elsewhere = { state: 'Sonora', city: 'Las delicias', title: 'Borrador de la ciudad', sale_price: 1 }
    await exchange.post('/properties', agent.key, elsewhere)
    const shown = { ...place, neighborhood: 'Las Delicias', lat: 27.92, lng: -110.9 }
    await exchange.published(agent, { ...shown, title: 'Terreno de las delicias', property_type: 'land' })
    const { understood } = await ask('terreno cerca de las delicias')
    expect(understood.parameters.radius_km).toEqual(['3'])
    const { body } = await exchange.get('/properties?city=navojoa&facets=neighborhood', reader.key)
    expect(body.facets.neighborhood.values).toEqual([{ value: 'Las Delicias', count: 1 }])
  })

  it('does not know the places of hidden listings', async () => {
    expect((await ask('miramar secreto')).understood.parameters).toEqual({})
    expect((await ask('guaymas')).understood.parameters).toEqual({})
  })

  it('searches for the words that q has room for, and says which were left out', async () => {
    const unknown = Array.from({ length: 25 }, (_, i) => `minigolf${String.fromCharCode(97 + i)}x`)
    const { understood, pagination } = await ask(['casa', ...unknown].join(' '))
    expect(unknown.join(' ').startsWith(`${understood.text} `)).toBe(true)
    expect([pagination.total, understood.left_out]).toEqual([4, unknown.join(' ')])
    const known = Array.from({ length: 45 }, () => 'vista').join(' ')
    const found = await ask(`casa ${known}`)
    expect([found.pagination.total, found.understood.left_out]).toEqual([1, known.slice(198)])
    expect((await ask('x'.repeat(250))).understood.left_out).toBe('x'.repeat(250))
  })

  it('refuses text that is too long', async () => {
    const { status, body } = await exchange.get(`/properties?ask=${'a'.repeat(301)}`, reader.key)
    expect([status, body.errors]).toEqual([
      422,
      [`ask must be at most 300 characters (sent: "${'a'.repeat(40)}…")`],
    ])
  })
})

describe('GET /properties?place=', () => {
  it.each([
    ['CDMX', ['Amplio tres', 'Luminoso dos']],
    ['Roma', ['Amplio tres', 'Luminoso dos']],
    ['col. Roma Norte', ['Luminoso dos']],
    ['Roma Norte, CDMX', ['Luminoso dos']],
    ['Roma Norte, Nuevo León', []],
    ['Monterrey, NL', ['Mediana']],
    ['Guadalupe', ['Mediana']],
    ['Los Cabos', ['Casa con vista']],
    ['nowhere', []],
    ['Roma Norte o Los Cabos', ['Casa con vista', 'Luminoso dos']],
    ['Roma O’Gorman', []],
    ['col. Roma Norte or NL', ['Luminoso dos', 'Mediana']],
    ['Roma o Monterrey, CDMX', ['Amplio tres', 'Luminoso dos']],
    ['Guanajuato o Roma Norte, Guanajuato', ['Casa de la plaza', 'Casa del túnel']],
    ['Guanajuato', ['Casa de la plaza', 'Casa del túnel', 'Casa en dólares']],
    ['Guanajuato, Guanajuato', ['Casa de la plaza', 'Casa del túnel']],
    ['Guanajuato, Gto.', ['Casa de la plaza', 'Casa del túnel']],
    ['ciudad de Guanajuato', ['Casa de la plaza', 'Casa del túnel']],
  ])('%s', async (place, expected) => {
    expect((await titles(`place=${encodeURIComponent(place)}`)).sort()).toEqual(expected)
  })

  it('refuses what has no letter or digit', async () => {
    const { status, body } = await exchange.get('/properties?place=--', reader.key)
    expect([status, body.errors]).toEqual([422, ['place must contain letters or digits (sent: "--")']])
  })
})

describe('GET /properties with upper bounds', () => {
  it.each([
    ['max_bedrooms=2', ['Luminoso dos', 'Mediana']],
    ['min_bedrooms=2&max_bedrooms=2', ['Luminoso dos']],
    ['max_bedrooms=0', []],
  ])('%s finds those that are known and not more', async (query, expected) => {
    expect((await titles(query)).sort()).toEqual(expected)
  })
})
