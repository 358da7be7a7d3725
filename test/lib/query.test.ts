import { describe, expect, it } from 'vitest'
import { oneOf, text } from '../../src/lib/fields.ts'
import { numberParameter, parseInstant, readQuery, repeated } from '../../src/lib/query.ts'
import { sentences } from '../support/issues.ts'

const parameters = {
  q: text({ max: 20 }),
  page: numberParameter({ min: 1, max: 1_000, decimals: 0 }),
  area: numberParameter({ min: -5, max: 1_000 }),
  type: repeated(oneOf(['house', 'land'])),
}
const read = (query: string) => readQuery(parameters, new URLSearchParams(query))

describe('readQuery', () => {
  it.each([
    ['page=2', { page: 2 }],
    ['area=-1.25', { area: -1.25 }],
    ['type=house&type=land', { type: ['house', 'land'] }],
    ['q=&page=&type=', {}],
    ['q=&q=casa', { q: 'casa' }],
    ['unknown=1&q[]=x&q[a]=y&page[gt]=3', {}],
    ['__proto__=1&constructor=2', {}],
  ])('reads %s', (query, expected) => {
    expect(read(query)).toEqual({ value: expected, issues: [] })
  })

  it.each([
    ['q=a&q=b', 'q must be given only once'],
    ['page=0', 'page must be between 1 and 1000'],
    ['page=1.5', 'page must be a whole number'],
    ['type=house&type=boat', 'type must be one of: house, land'],
  ])('rejects %s', (query, error) => {
    expect(sentences(read(query).issues)).toEqual([error])
  })

  it.each(['24abc', '1e3', '0x10', 'Infinity', 'NaN', '%20 5', '+5', '.5', '5.', '1,000', '١', '--1'])(
    'rejects %s as a number',
    value => {
      expect(sentences(read(`area=${value}`).issues)).toEqual(['area must be a number'])
    },
  )

  it('reports every problem of a query', () => {
    expect(sentences(read('page=x&type=boat&type=car').issues)).toEqual([
      'page must be a whole number',
      'type must be one of: house, land',
      'type must be one of: house, land',
    ])
  })
})

describe('parseInstant', () => {
  it.each([
    ['2026-01-31T18:00:00Z', '2026-01-31T18:00:00.000Z'],
    ['2026-01-31t18:00:00z', '2026-01-31T18:00:00.000Z'],
    ['2026-01-31T18:00:00.5Z', '2026-01-31T18:00:00.500Z'],
    ['2026-01-31T18:00:00.123999Z', '2026-01-31T18:00:00.123Z'],
    ['2026-01-31T12:00:00-06:00', '2026-01-31T18:00:00.000Z'],
    ['2026-01-31T20:00:00+02:00', '2026-01-31T18:00:00.000Z'],
    ['2026-01-31T20:00:00 02:00', '2026-01-31T18:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (sent, expected) => {
    expect(parseInstant(sent)?.toISOString()).toBe(expected)
  })

  it.each([
    '1',
    '2026',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-31T18:00:00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T18:60:00Z',
    '2026-01-31T18:00Z',
    '2026-01-31T18:00:00+15:00',
    '2026-01-31T18:00:00Zx',
    ' 2026-01-31',
    '0000-01-01',
    'yesterday',
  ])('rejects %s', sent => {
    expect(parseInstant(sent)).toBeUndefined()
  })
})
