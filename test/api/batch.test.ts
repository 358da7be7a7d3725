import { beforeAll, describe, expect, it } from 'vitest'
import { setFlags } from '../../src/listings/service.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const send = (items: unknown, query = '') =>
  exchange.post(`/my/properties/batch${query}`, agent.key, { items })
const read = async (externalId: string) =>
  (await exchange.get(`/my/properties/${encodeURIComponent(externalId)}`, agent.key)).body
const resultsOf = (body: { content: { result: string }[] }) => body.content.map(({ result }) => result)
const eventsOf = async (externalId: string) =>
  (await exchange.events((await read(externalId)).id)).map(({ event }) => event)

describe('200', () => {
  it('says of each item, in the same order, what became of it, with its id and version', async () => {
    const first = await send([
      { external_id: 'A', set: HOUSE },
      { external_id: 'B', set: HOUSE, status: 'published' },
      { external_id: 'C', set: HOUSE, status: 'withdrawn' },
    ])
    expect([first.status, resultsOf(first.body)]).toEqual([200, ['created', 'created', 'created']])
    const second = await send([
      { external_id: 'C', set: {} },
      { external_id: 'B', set: { bedrooms: 2 }, status: 'published' },
      { external_id: 'A', set: HOUSE, status: 'published' },
    ])
    expect(resultsOf(second.body)).toEqual(['unchanged', 'changed', 'changed'])
    for (const [i, name] of ['C', 'B', 'A'].entries()) {
      const { id, version } = await read(name)
      expect(second.body.content[i]).toMatchObject({ external_id: name, id, version })
    }
    expect((await read('C')).status).toBe('withdrawn')
  })

  it('changes nothing the second time: no version, no event, no reconfirmation', async () => {
    const items = [
      { external_id: 'TWICE-1', set: { ...HOUSE, images: ['https://a.example/1.jpg'] }, status: 'published' },
      { external_id: 'TWICE-2', set: HOUSE, status: 'draft' },
    ]
    await send(items)
    const before = [await read('TWICE-1'), await read('TWICE-2')]
    expect(resultsOf((await send(items)).body)).toEqual(['unchanged', 'unchanged'])
    expect([await read('TWICE-1'), await read('TWICE-2')]).toEqual(before)
    expect([await eventsOf('TWICE-1'), await eventsOf('TWICE-2')]).toEqual([['listing.published'], []])
  })

  it('sends the event of each status it changes, as the verbs do', async () => {
    for (const status of ['published', 'draft', 'published', 'withdrawn', 'withdrawn']) {
      await send([{ external_id: 'MOVES', set: HOUSE, status }])
    }
    expect(await eventsOf('MOVES')).toEqual([
      'listing.published',
      'listing.unpublished',
      'listing.published',
      'listing.unpublished',
    ])
  })

  it('takes none and a hundred, counted as one request each', async () => {
    expect((await send([])).body).toEqual({ content: [] })
    const items = Array.from({ length: 100 }, (_, i) => ({ external_id: `MANY-${i}`, set: HOUSE }))
    const { body, headers } = await send(items)
    expect(body.content.map(({ external_id }: { external_id: string }) => external_id)).toEqual(
      items.map(({ external_id }) => external_id),
    )
    expect(new Set(resultsOf(body))).toEqual(new Set(['created']))
    const next = await send([])
    expect(Number(headers['x-ratelimit-remaining']) - Number(next.headers['x-ratelimit-remaining'])).toBe(1)
  })

  it('does the items of one name one after the other', async () => {
    const { body } = await send([
      { external_id: 'SAME', set: HOUSE },
      { external_id: ' SAME ', set: { bedrooms: 3 } },
      { external_id: 'SAME', set: { bedrooms: 3 } },
    ])
    expect(resultsOf(body)).toEqual(['created', 'changed', 'unchanged'])
    expect(body.content[1].external_id).toBe(' SAME ')
  })
})

describe('a bad item', () => {
  it('is refused by itself, with all that is wrong, and stops no other', async () => {
    const imported = await exchange.listing(agent, { external_id: 'IMPORTED' })
    await setFlags(exchange.db, imported.id, { imported: true })
    const suspended = await exchange.listing(agent, { external_id: 'SUSPENDED' })
    await exchange.setStatus(suspended.id, 'suspended')
    const bad: [unknown, string, unknown][] = [
      [null, 'validation', [['item', 'not_an_object']]],
      [[], 'validation', [['item', 'not_an_object']]],
      ['x', 'validation', [['item', 'not_an_object']]],
      [
        {},
        'validation',
        [
          ['external_id', 'required'],
          ['set', 'required'],
        ],
      ],
      [{ external_id: 7, set: HOUSE }, 'validation', [['external_id', 'not_text']]],
      [{ external_id: ' ', set: HOUSE }, 'validation', [['external_id', 'empty']]],
      [{ external_id: 'x'.repeat(5_000), set: HOUSE }, 'validation', [['external_id', 'too_long']]],
      [{ external_id: 'a\u0000b', set: HOUSE }, 'validation', [['external_id', 'invalid_characters']]],
      [{ external_id: '\ud800', set: HOUSE }, 'validation', [['external_id', 'invalid_characters']]],
      [{ external_id: 'BAD', set: null }, 'validation', [['set', 'null_not_allowed']]],
      [{ external_id: 'BAD', set: HOUSE, status: 'sold' }, 'validation', [['status', 'unknown_value']]],
      [
        { external_id: 'BAD', set: { ...HOUSE, title: '\u0000' } },
        'validation',
        [['title', 'invalid_characters']],
      ],
      [
        { external_id: 'BAD', set: { ...HOUSE, external_id: 'X' } },
        'validation',
        [['external_id', 'id_mismatch']],
      ],
      [{ external_id: 'IMPORTED', set: HOUSE }, 'conflict', undefined],
      [{ external_id: 'SUSPENDED', set: { bedrooms: 9 }, status: 'published' }, 'forbidden', undefined],
    ]
    const items = bad.flatMap(([item], i) => [item, { external_id: `GOOD-${i}`, set: HOUSE }])
    const { status, body } = await send(items)
    expect(status).toBe(200)
    for (const [i, [item, error, details]] of bad.entries()) {
      const refused = body.content[2 * i]
      expect([refused.result, refused.error], JSON.stringify(item)).toEqual(['refused', error])
      const found = refused.details?.map(({ field, code }: { field: string; code: string }) => [field, code])
      expect(found).toEqual(details)
      expect(body.content[2 * i + 1].result).toBe('created')
    }
    expect(body.content.at(-4)).toMatchObject({ external_id: 'IMPORTED', id: imported.id })
    // Neither half of a refused item is done.
    expect((await read('SUSPENDED')).bedrooms).toBeNull()
    expect((await read('BAD')).error).toBe('not_found')
  })

  it('may have unknown amenities if asked, which are named in its warnings', async () => {
    const items = [
      { external_id: 'AMENITIES', set: { ...HOUSE, features: ['Alberca', 'Helipuerto'] } },
      { external_id: 'NONE', set: HOUSE },
    ]
    expect(resultsOf((await send(items)).body)).toEqual(['refused', 'created'])
    const { body, headers } = await send(items, '?unknown_features=skip')
    expect(resultsOf(body)).toEqual(['created', 'unchanged'])
    expect([body.content[0].warnings.length, body.content[1].warnings]).toEqual([1, undefined])
    expect([body.warnings, headers['x-warnings']]).toEqual([undefined, undefined])
    expect((await read('AMENITIES')).features).toEqual(['Alberca'])
    expect((await send(items, '?unknown_features=no')).status).toBe(422)
  })

  it('is explained in Spanish if asked', async () => {
    const { body } = await send([{ external_id: 'ES', set: {} }], '?lang=es')
    expect(body.content[0].errors[0]).toBe('title es obligatorio')
    expect(body.content[0].message).toContain('Algunos valores')
  })
})

describe('503', () => {
  it('answers those beyond a dozen at once from one agent, which are not done; another agent gets a turn', async () => {
    const crowd = await exchange.agent()
    const other = await exchange.agent()
    const batch = (key: string, i: number) =>
      exchange.post('/my/properties/batch', key, { items: [{ external_id: `T-${i}`, set: HOUSE }] })
    const answers = Promise.all(Array.from({ length: 20 }, (_, i) => batch(crowd.key, i)))
    expect((await batch(other.key, 0)).status).toBe(200)
    const busy = (await answers).filter(({ status }) => status === 503)
    expect(busy.length).toBeLessThanOrEqual(8)
    const own = await exchange.get('/my/properties', crowd.key)
    expect(own.body.content).toHaveLength(20 - busy.length)
  })
})

describe('422', () => {
  it.each<[string, unknown, string[]]>([
    ['no object', [], ['body must be a JSON object']],
    ['no items', {}, ['items is required']],
    ['items that are no list', { items: {} }, ['items must be a list']],
    ['items that are null', { items: null }, ['items cannot be null']],
    ['101 items', { items: Array(101).fill({}) }, ['items must have at most 100 items, 101 were sent']],
  ])('for %s', async (_what, body, errors) => {
    const answer = await exchange.post('/my/properties/batch', agent.key, body)
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
  })
})

describe('dry_run=true', () => {
  it('says what would become of each, and nothing does', async () => {
    await send([{ external_id: 'DRY-1', set: HOUSE }])
    const before = await read('DRY-1')
    const { body, headers } = await send(
      [
        { external_id: 'DRY-1', set: { bedrooms: 3 }, status: 'published' },
        { external_id: 'DRY-1', set: {} },
        { external_id: 'DRY-2', set: HOUSE },
        { external_id: 'DRY-3', set: { title: 'x' } },
      ],
      '?dry_run=true',
    )
    expect(headers['x-dry-run']).toBe('true')
    expect(resultsOf(body)).toEqual(['changed', 'unchanged', 'created', 'refused'])
    expect([await read('DRY-1'), (await read('DRY-2')).error]).toEqual([before, 'not_found'])
    expect(await eventsOf('DRY-1')).toEqual([])
  })
})
