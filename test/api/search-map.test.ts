import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Point } from '../../src/search/criteria.ts'
import { boundsOf, cellOf } from '../../src/search/engine/globe.ts'
import { insidePolygons, polygonArea } from '../../src/search/engine/polygon.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Stocked, stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let hidden: Stocked

/** Named by source_id; all but one show their exact point. */
const POINTS: Record<string, { lat: number | null; lng: number | null; sale_price?: number }> = {
  center: { lat: 20.675, lng: -103.345, sale_price: 2_000_000 },
  north: { lat: 20.72, lng: -103.345, sale_price: 5_000_000 },
  west: { lat: 20.675, lng: -103.42 },
  merida: { lat: 20.97, lng: -89.62 },
  nowhere: { lat: null, lng: null },
}
const AROUND_CENTER = '20.66,-103.36;20.69,-103.36;20.69,-103.33;20.66,-103.33'

beforeAll(async () => {
  viewer = await exchange.agent({ name: 'Vera Viñas' })
  const owner = await exchange.agent({ name: 'Olga Ortiz' })
  for (const [name, fields] of Object.entries(POINTS)) {
    await stock(exchange, owner, { ...fields, external_id: name, show_exact_address: fields.lat !== null })
  }
  hidden = await stock(exchange, owner, { external_id: 'hidden', lat: 25.67, lng: -100.31 })
})

const get = (path: string) => exchange.get(path, viewer.key)

async function found(query: string): Promise<string[]> {
  const { status, body } = await get(`/properties?limit=100&${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content.map((one: { source_id: string }) => one.source_id).sort()
}

async function refusal(query: string, path = '/properties'): Promise<{ code: string; message: string }[]> {
  const { status, body } = await get(`${path}?${query}`)
  expect(status, `${query} was answered ${JSON.stringify(body)}`).toBe(422)
  return body.details
}

const geo = (type: string, coordinates: unknown) =>
  `polygon=${encodeURIComponent(JSON.stringify({ type, coordinates }))}`
const square = (south: number, west: number, north: number, east: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

describe('polygon', () => {
  it('finds the listings whose displayed point is inside, written as points or as GeoJSON', async () => {
    expect(await found(`polygon=${AROUND_CENTER}`)).toEqual(['center'])
    expect(await found(geo('Polygon', [square(20.66, -103.36, 20.73, -103.33)]))).toEqual(['center', 'north'])
  })

  it('may be several: repeated, or as a MultiPolygon', async () => {
    const merida = '20.9,-89.7;21,-89.7;21,-89.5;20.9,-89.5;20.9,-89.7'
    expect(await found(`polygon=${AROUND_CENTER}&polygon=${merida}`)).toEqual(['center', 'merida'])
    const both = [[square(20.66, -103.36, 20.69, -103.33)], [square(20.9, -89.7, 21, -89.5)]]
    expect(await found(geo('MultiPolygon', both))).toEqual(['center', 'merida'])
  })

  it('leaves out what is in a hole', async () => {
    const around = square(20.6, -103.5, 20.8, -103.3)
    expect(await found(geo('Polygon', [around]))).toEqual(['center', 'north', 'west'])
    expect(await found(geo('Polygon', [around, square(20.7, -103.4, 20.75, -103.3)]))).toEqual([
      'center',
      'west',
    ])
  })

  it('tells nothing of a hidden point: only the displayed one counts', async () => {
    const { public_lat: lat, public_lng: lng } = hidden as { public_lat: number; public_lng: number }
    const around = (y: number, x: number) =>
      `polygon=${y - 1e-5},${x - 1e-5};${y - 1e-5},${x + 1e-5};${y + 1e-5},${x + 1e-5};${y + 1e-5},${x - 1e-5}`
    expect(await found(around(lat, lng))).toEqual(['hidden'])
    expect(await found(around(25.67, -100.31))).toEqual([])
    const { body } = await get(`/properties/clusters?bbox=-101,25,-100,26&zoom=22`)
    expect(body.content).toMatchObject([{ id: hidden.id, count: 1, bounds: { sw_lat: lat, sw_lng: lng } }])
  })

  it('is combined with all other filters and followed by the Link header', async () => {
    const query = `polygon=20.6,-103.5;20.8,-103.5;20.8,-103.3;20.6,-103.3&limit=1&sort=price_asc`
    const first = await get(`/properties?${query}`)
    expect(first.body.pagination.total).toBe(3)
    const link = String(first.headers.link)
    expect(link).toContain('polygon=20.6,-103.5;20.8,-103.5')
    const next = await get(/<.*\/api\/v1(.*)>/.exec(link)?.[1] as string)
    expect(next.body.content).toHaveLength(1)
    expect(next.body.content[0].id).not.toBe(first.body.content[0].id)
    expect(await found(`polygon=${AROUND_CENTER}&max_price=1000`)).toEqual([])
  })

  it('takes 500 points in all, and no more', async () => {
    const circle = (n: number) =>
      Array.from({ length: n }, (_, i) => {
        const angle = (i / n) * 2 * Math.PI
        return `${(20.675 + Math.sin(angle) / 50).toFixed(5)},${(-103.345 + Math.cos(angle) / 50).toFixed(5)}`
      }).join(';')
    expect(await found(`polygon=${circle(500)}`)).toEqual(['center'])
    expect(await refusal(`polygon=${circle(501)}`)).toMatchObject([
      { code: 'too_many_points', message: expect.stringContaining('at most 500 points, 501 were sent') },
    ])
    expect(await refusal(`polygon=${circle(251)}&polygon=${circle(250)}`)).toMatchObject([
      { code: 'too_many_points' },
    ])
  })

  it.each([
    'polygon=20,-103',
    'polygon=20,-103;21,-103',
    'polygon=20,-103;21,-103;20,-103',
    'polygon=20,-103;21,-103;x,y',
    'polygon=20,-103;21,-103;91,0',
    'polygon=20,-103;21,-103;21,-181',
    'polygon=20,-103;21,-103;1e1,0',
    'polygon=;;;',
    'polygon=20 -103;21 -103;21 -102',
    'polygon={',
    'polygon={}',
    'polygon={"type":"Polygon"}',
    'polygon={"type":"Point","coordinates":[0,0]}',
    'polygon={"type":"Polygon","coordinates":[]}',
    'polygon={"type":"Polygon","coordinates":[[]]}',
    'polygon={"type":"Polygon","coordinates":[[[0,0],[0,1]]]}',
    'polygon={"type":"Polygon","coordinates":[[[0,0],[0,1],[1,"1"]]]}',
    'polygon={"type":"Polygon","coordinates":[[[0,0],[0,1],[1,null]]]}',
    'polygon={"type":"Polygon","coordinates":[[[0,0],[0,1],[999,1]]]}',
    'polygon={"type":"MultiPolygon","coordinates":[[[[0,0],[0,1],[1,1]]],3]}',
    `polygon={"type":"Polygon","coordinates":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ])('is rejected with one clear message: %s', async query => {
    const [problem, ...more] = await refusal(query)
    expect(problem?.code).toBe('not_a_polygon')
    expect(problem?.message).toContain('polygon must be a GeoJSON Polygon')
    expect(more).toEqual([])
  })

  it('for the points of a cell decides like the plain rule, whatever the shape, on edges and corners too', () => {
    const degree = fc.integer({ min: 0, max: 12 }).map(step => step / 4)
    const ring = fc.array(fc.tuple(degree, degree) as fc.Arbitrary<Point>, { minLength: 3, maxLength: 40 })
    const polygons = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    const points = fc.array(fc.tuple(fc.oneof(degree, fc.double({ min: -1, max: 4, noNaN: true })), degree), {
      maxLength: 40,
    })
    const crowded = fc.tuple(fc.double({ min: 1, max: 1.02, noNaN: true }), degree)
    const drawn = fc.oneof(
      polygons,
      fc.array(crowded, { minLength: 20, maxLength: 60 }).map(one => [[one]]),
    )
    let [whole, empty, divided] = [0, 0, 0]
    fc.assert(
      fc.property(drawn, points, fc.array(crowded), (shapes, some, close) => {
        const [plain, { part }] = [insidePolygons(shapes), polygonArea(shapes)]
        for (const [lat, lng] of [...some, ...close, ...shapes.flat(2)]) {
          const inside = part(boundsOf(cellOf(lat, lng)))
          const isHeld = typeof inside === 'boolean' ? inside : inside(lat, lng)
          expect(isHeld, `${lat}, ${lng}`).toBe(plain(lat, lng))
          if (inside === true) whole++
          else if (inside === false) empty++
          else divided++
        }
      }),
      { numRuns: 300 },
    )
    expect(Math.min(whole, empty, divided)).toBeGreaterThan(100)
  })
})

describe('bbox', () => {
  it('is the rectangle of the four corner parameters', async () => {
    expect(await found('bbox=-103.4,20.6,-103.3,20.7')).toEqual(['center'])
    expect(await found('sw_lat=20.6&sw_lng=-103.4&ne_lat=20.7&ne_lng=-103.3')).toEqual(['center'])
  })

  it.each(['1,2,3', '1,2,3,4,5', 'a,b,c,d', '0,91,1,92', '5,5,1,1', '1e1,0,20,1', '-181,0,0,1'])(
    'is rejected with one message: %s',
    async bbox => {
      expect((await refusal(`bbox=${bbox}`)).map(({ code }) => code)).toEqual(['not_a_box'])
    },
  )

  it('is not given together with corners', async () => {
    const both = 'bbox=-103.4,20.6,-103.3,20.7&sw_lat=20.6&sw_lng=-103.4&ne_lat=20.7&ne_lng=-103.3'
    expect((await refusal(both)).map(({ code }) => code)).toEqual(['not_with'])
  })
})

describe('GET /properties/clusters', () => {
  const clusters = async (query: string) => {
    const { status, body } = await get(`/properties/clusters?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  it('counts each listing with a point once, at the mean of the points, with bounds and prices', async () => {
    const { zoom, total, without_point, content } = await clusters('bbox=-103.5,20.6,-103.3,20.8&zoom=5')
    expect({ zoom, total, without_point }).toEqual({ zoom: 5, total: 3, without_point: 0 })
    expect(content).toHaveLength(1)
    const [{ lat, ...cluster }] = content
    expect(lat).toBeCloseTo((20.675 + 20.72 + 20.675) / 3, 5)
    expect(cluster).toMatchObject({
      count: 3,
      id: null,
      bounds: { sw_lat: 20.675, sw_lng: -103.42, ne_lat: 20.72, ne_lng: -103.345 },
      prices: [{ operation: 'sale', currency: 'MXN', min: 2_000_000, max: 5_000_000 }],
    })
  })

  it('takes the filters of a search, and tells how many have no point', async () => {
    const all = await clusters('')
    expect(all).toMatchObject({ total: 5, without_point: 1 })
    const { body } = await get('/properties')
    expect(all.total + all.without_point).toBe(body.pagination.total)
    expect(all.content.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(5)
    expect((await clusters(`polygon=${AROUND_CENTER}`)).content).toMatchObject([{ count: 1 }])
    expect(await clusters('max_price=1')).toMatchObject({ total: 0, content: [] })
  })

  it('names the listing of a square that has only one', async () => {
    const { content } = await clusters('bbox=-103.5,20.6,-103.3,20.8&zoom=15')
    expect(content).toHaveLength(3)
    for (const { id } of content) expect((await get(`/properties/${id}`)).status).toBe(200)
  })

  it.each([
    ['zoom=-1', 'out_of_range'],
    ['zoom=23', 'out_of_range'],
    ['zoom=1.5', 'not_an_integer'],
    ['zoom=x', 'not_an_integer'],
    ['bbox=1', 'not_a_box'],
    ['min_price=x', 'not_a_number'],
  ])('rejects %s', async (query, code) => {
    expect((await refusal(query, '/properties/clusters')).map(one => one.code)).toEqual([code])
  })

  it('needs a key', async () => {
    expect((await exchange.get('/properties/clusters')).status).toBe(401)
  })
})
