import { beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
let agent: TestAgent
let reader: TestAgent

const MERIDA = { city: 'Mérida', state: 'Yucatán' }
const ROMA = { city: 'Cuauhtémoc', state: 'Ciudad de México', neighborhood: 'Roma Norte' }

beforeAll(async () => {
  agent = await exchange.agent({ name: 'Zulema Íñiguez' })
  reader = await exchange.agent({ name: 'Sin Anuncios' })
  await stock(exchange, agent, { ...MERIDA, neighborhood: 'Centro', external_id: 'EB-Q1001' })
  await stock(exchange, agent, {
    ...MERIDA,
    neighborhood: 'Centro',
    external_id: 'EB-Q1002',
    features: ['Alberca'],
  })
  await stock(exchange, agent, { city: 'Puebla', state: 'Puebla', neighborhood: 'Centro' })
  await stock(exchange, agent, { ...ROMA, property_type: 'apartment', features: ['Alberca'] })
  await stock(exchange, agent, { city: 'San Miguel de Allende', state: 'Guanajuato' })
  await stock(exchange, agent, { city: 'Cabo San Lucas', state: 'Baja California Sur' })
  await exchange.listing(agent, {
    city: 'Sigilosa',
    state: 'Sonora',
    external_id: 'EB-Q1003',
    features: ['Chimenea'],
  })
})

interface Suggested {
  kind: string
  label: string
  text: string
  count: number
  parameters: Record<string, string>
  url: string | null
}
const suggest = async (q: string, more = ''): Promise<Suggested[]> => {
  const { status, body } = await exchange.get(`/suggest?q=${encodeURIComponent(q)}${more}`, reader.key)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content
}
const labels = async (q: string, more = '') => (await suggest(q, more)).map(({ label }) => label)

describe('200', () => {
  it.each([
    ['rom', ['Roma Norte, Cuauhtémoc']],
    ['ROMA N', ['Roma Norte, Cuauhtémoc']],
    ['norte', ['Roma Norte, Cuauhtémoc']],
    ['meri', ['Mérida, Yucatán']],
    ['Mér', ['Mérida, Yucatán']],
    ['miguel de all', ['San Miguel de Allende, Guanajuato']],
    ['san miguel allende', ['San Miguel de Allende, Guanajuato']],
    ['cdm', ['Ciudad de México']],
    ['los cabos', ['Los Cabos']],
    ['iñig', ['Zulema Íñiguez']],
    ['pisc', ['Alberca']],
    ['depto', ['Departamento']],
    ['xyzzy', []],
    ['r', []],
    ['%', []],
    ['', []],
  ])('completes %j', async (q, expected) => {
    expect(await labels(q)).toEqual(expected)
  })

  it('tells the same name in two cities apart, the one with more listings first', async () => {
    expect(await labels('centr')).toEqual(['Centro, Mérida', 'Centro, Puebla'])
  })

  it('completes the end of a longer text, and answers the whole', async () => {
    expect(await suggest('casa en renta en la Rom')).toEqual([
      {
        kind: 'place',
        label: 'Roma Norte, Cuauhtémoc',
        text: 'casa en renta en Roma Norte, Cuauhtémoc',
        count: 1,
        parameters: { place: 'Roma Norte, Cuauhtémoc' },
        url: null,
      },
    ])
  })

  it('answers types and amenities in the language asked for, whatever language was typed', async () => {
    expect(await labels('pool', '&lang=en')).toEqual(['Swimming pool'])
    expect(await labels('alber', '&lang=en')).toEqual(['Swimming pool'])
    expect(await labels('apart')).toEqual(['Departamento'])
  })

  it('counts exactly what its parameters find among public listings', async () => {
    const all = (
      await Promise.all(
        ['me', 'ce', 'ro', 'al', 'ca', 'de', 'pu', 'gua', 'yuc', 'los c', 'zul'].map(q => suggest(q)),
      )
    ).flat()
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['place', 'amenity', 'type', 'agent']))
    for (const { label, count, parameters } of all) {
      const { body } = await exchange.get(`/properties?${new URLSearchParams(parameters)}`, reader.key)
      expect([label, count]).toEqual([label, body.pagination.total])
    }
  })

  it('leads from an agent to the page, from a reference to the listing', async () => {
    expect(await suggest('zulema')).toMatchObject([
      { kind: 'agent', count: 6, url: `${PUBLIC_URL}/agentes/${agent.slug}` },
    ])
    const [first, ...rest] = await suggest('eb-q1')
    expect(rest).toHaveLength(1)
    expect(first).toMatchObject({ kind: 'listing', text: 'EB-Q1001', count: 1 })
    const { body } = await exchange.get(`/properties?${new URLSearchParams(first?.parameters)}`, reader.key)
    expect(body.content[0]).toMatchObject({ source_id: 'EB-Q1001', url: first?.url })
  })

  it('knows nothing that only hidden listings have', async () => {
    for (const q of ['sigil', 'sonor', 'chimen', 'EB-Q1003', 'Sin Anuncios'])
      expect(await labels(q)).toEqual([])
  })

  it('follows the market', async () => {
    const { id } = await exchange.published(agent, { city: 'Xilitla', state: 'San Luis Potosí' })
    expect(await labels('xili')).toEqual(['Xilitla, San Luis Potosí'])
    await exchange.setStatus(id, 'withdrawn')
    expect(await labels('xili')).toEqual([])
  })

  it('answers at most as many as asked for', async () => {
    expect(await labels('ce', '&limit=1')).toEqual(['Centro, Mérida'])
  })

  it.each([
    "'",
    '\\',
    '😀',
    '   ',
    'a'.repeat(200),
    'a '.repeat(100),
    '1'.repeat(200),
    '1_%',
    'de la',
    '\u0301',
  ])('makes no error of %j', async q => {
    await suggest(q)
  })
})

describe('401', () => {
  it('needs a key', async () => {
    expect((await exchange.get('/suggest?q=ro')).status).toBe(401)
  })
})

describe('422', () => {
  it.each([
    [`q=${'a'.repeat(201)}`, 'q'],
    ['q=ro&lang=fr', 'lang'],
    ['q=ro&limit=0', 'limit'],
    ['q=ro&limit=21', 'limit'],
  ])('refuses %s', async (query, name) => {
    const { status, body } = await exchange.get(`/suggest?${query}`, reader.key)
    expect([status, body.errors.length]).toEqual([422, 1])
    expect(body.errors[0]).toMatch(new RegExp(`^${name} `))
  })
})
