import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lonja } from '../../src/cli/command-line.ts'
import { importPlaces, locate } from '../../src/places/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

/** As GeoNames writes them; made up. */
const line = (
  code: string,
  name: string,
  lat: number,
  lng: number,
  place = ['Jalisco', 'Zapopan', 'Guadalajara'],
) => ['MX', code, name, place[0], '14', place[1], '120', place[2], '07', lat, lng, '1'].join('\t')
const FILE = [
  line('45110', 'Puerta de Hierro', 20.71, -103.41),
  line('45116', 'Puerta de Hierro', 20.73, -103.43),
  line('06700', 'Roma Norte', 19.42, -99.16, ['Distrito Federal', 'Cuauhtémoc', 'Ciudad de México']),
  'US\t90210\tBeverly Hills\tCalifornia\tCA\tLos Angeles\t037\t\t\t34.09\t-118.41\t4',
  'not a place',
].join('\r\n')

const AT = { state: 'Jalisco', city: 'Zapopan', municipality: '', neighborhood: '', postalCode: '' }

let agent: TestAgent
let visitor: Visitor

beforeAll(async () => {
  ;({ agent, visitor } = await signedInAgent(exchange))
  await importPlaces(exchange.db, FILE)
})

describe('the place of an address', () => {
  it('is the middle of its colonia or postal code in the imported file', async () => {
    const at = (fields: Partial<typeof AT>) => locate(exchange.db, agent.id, { ...AT, ...fields })
    expect(await at({ neighborhood: ' PUERTA de hiérro' })).toEqual({
      lat: 20.72,
      lng: -103.42,
      by: 'neighborhood',
    })
    expect(await at({ neighborhood: 'Puerta de Hierro', city: '', postalCode: '45116' })).toMatchObject({
      lat: 20.73,
    })
    expect(await at({ neighborhood: 'Otra', postalCode: '45110' })).toMatchObject({
      lat: 20.71,
      by: 'postal_code',
    })
    expect(await at({ state: 'CDMX', city: 'Ciudad de México', neighborhood: 'Roma Norte' })).toMatchObject({
      lat: 19.42,
    })
    expect(await at({ neighborhood: 'Roma Norte' })).toBeUndefined()
    expect(await at({ postalCode: '4511' })).toBeUndefined()
  })

  it('is else the middle of public listings, never of hidden ones; postal codes only of the agent’s own', async () => {
    const other = await exchange.agent()
    const fields = { neighborhood: 'Las Cañadas', city: 'Zapopan', postal_code: '45132' }
    await exchange.published(other, { ...fields, lat: 20.75, lng: -103.36 })
    await exchange.listing(other, { ...fields, lat: 20.9, lng: -103.9 })
    const found = await locate(exchange.db, agent.id, { ...AT, neighborhood: 'Las Cañadas' })
    // The point that everyone sees: in a cell of 0.003 degrees.
    expect(Math.abs((found?.lat ?? 0) - 20.75)).toBeLessThan(0.003)
    expect(await locate(exchange.db, agent.id, { ...AT, postalCode: '45132' })).toBeUndefined()
    expect(await locate(exchange.db, other.id, { ...AT, postalCode: '45132' })).toMatchObject({
      by: 'postal_code',
    })
  })

  it('comes from a file that replaces the one before; one without places, or none, changes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-places-'))
    const places = join(folder, 'MX.txt')
    const other = join(folder, 'other.txt')
    await Promise.all([writeFile(places, FILE), writeFile(other, 'nothing\nhere')])
    const run = async (path: string) => {
      const said: string[] = []
      const code = await lonja(['places', 'import', path, '--json'], {
        settings: () => ({ DATABASE_URL: exchange.pool.options.connectionString as string }),
        print: line => said.push(line),
        remark: line => said.push(line),
      })
      return [code, said.join('\n')]
    }
    expect(await run(places)).toEqual([0, expect.stringMatching(/"imported":\s*3,\s*"skipped":\s*2/)])
    expect(await run(other)).toEqual([1, expect.stringContaining('has no postal codes of Mexico')])
    expect(await run(join(folder, 'missing'))).toEqual([1, expect.stringContaining('cannot be read')])
    await rm(folder, { recursive: true })
    const stored = await exchange.db.selectFrom('postal_places').select('name_fold').execute()
    expect(stored.map(({ name_fold }) => name_fold).sort()).toEqual([
      'puerta de hierro',
      'puerta de hierro',
      'roma norte',
    ])
  })
})

describe('the form of a listing', () => {
  it('without scripts finds the point by its address and keeps what was typed', async () => {
    await visitor.open('/portal/listings/new')
    expect(visitor.html).toContain('formaction="/portal/listings/new/locate"')
    const typed = { title: 'Casa', state: 'Jalisco', city: 'Zapopan', neighborhood: 'Puerta de Hierro' }
    await visitor.submit('/portal/listings/new', typed, [], '/portal/listings/new/locate')
    expect(visitor.status).toBe(200)
    expect(visitor.text).toContain('Punto aproximado, en medio de la colonia')
    for (const value of ['Casa', 'Puerta de Hierro', '20.72', '-103.42']) {
      expect(visitor.html).toContain(`value="${value}"`)
    }
    await visitor.submit(
      '/portal/listings/new',
      { ...typed, neighborhood: 'X' },
      [],
      '/portal/listings/new/locate',
    )
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('No sabemos dónde está esa colonia')
  })

  it('reads what is pasted into a coordinate, and explains why a short link cannot be read', async () => {
    const ask = async (lat: string) => {
      const answer = await visitor.request('GET', `/portal/listings/locate?${new URLSearchParams({ lat })}`)
      return JSON.parse(answer.html)
    }
    expect(await ask('https://www.waze.com/ul?ll=20.6911%2C-103.3782')).toMatchObject({
      lat: 20.6911,
      lng: -103.3782,
    })
    expect((await ask('https://maps.app.goo.gl/AbCdEf')).note).toContain('Un enlace corto')
    const listing = await exchange.listing(agent)
    const path = `/portal/listings/${listing.id}/edit`
    await visitor.open(path)
    await visitor.submit(path, { lat: 'https://maps.app.goo.gl/AbCdEf', lng: '' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('Un enlace corto solo se puede leer en internet')
  })
})
