import { beforeEach, describe, expect, it } from 'vitest'
import {
  cancelImport,
  chooseColumns,
  confirmImport,
  findOwn,
  listRows,
  undoImport,
} from '../../src/imports/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { check, importAll, upload, work } from '../support/imports.ts'
import { messySheet, mixed, sheetOf } from '../support/messy.ts'
import { csv, xlsx } from '../support/spreadsheets.ts'

const exchange = useExchange()
let agent: TestAgent

beforeEach(async () => {
  agent = await exchange.agent()
})

const HEADER = ['Clave', 'Título', 'Precio venta', 'Ciudad', 'Estado']
const sheet = (...rows: string[][]) => csv([HEADER, ...rows])
const HOUSES = sheet(
  ['A-1', 'Casa con jardín', '1.8 MDP', 'Guadalajara', 'Jalisco'],
  ['A-2', 'Depto con terraza', '$2,500,000', 'Coyoacán', 'CDMX'],
)

const own = async () =>
  (await exchange.get('/my/properties?limit=500', agent.key)).body.content as {
    id: string
    source_id: string
    title: string
    status: string
    version: string
    operations: { amount: number }[]
  }[]
const everything = async () => {
  const listings = await own()
  const records = await Promise.all(listings.map(({ id }) => exchange.get(`/properties/${id}`, agent.key)))
  return records
    .map(({ body: { updated_at, version, published_at, ...record } }) => record)
    .sort((a, b) => String(a.id).localeCompare(b.id))
}
const refusedRows = (id: string) => listRows(exchange.db, id, { result: 'refused', limit: 10_000 })

describe('an import', () => {
  it('shows first what it would do, and writes nothing', async () => {
    const { id } = await exchange.listing(agent, { external_id: 'A-1', sale_price: 1_500_000 })
    const before = await everything()
    const { counts, phase } = await check(exchange, agent, `${HOUSES}A-3,Casa,Consultar,León,Guanajuato\r\n`)
    expect([phase, counts]).toEqual(['ready', { changed: 1, created: 1, refused: 1 }])
    expect(await everything()).toEqual(before)
    expect(await exchange.events(id)).toEqual([])
  })

  it('creates and publishes, and leaves alone what is the same', async () => {
    const first = await importAll(exchange, agent, HOUSES)
    expect([first.phase, first.counts]).toEqual(['done', { refused: 0, created: 2 }])
    const listings = await own()
    expect(listings.map(({ source_id, status }) => [source_id, status]).sort()).toEqual([
      ['A-1', 'published'],
      ['A-2', 'published'],
    ])
    const second = await importAll(exchange, agent, HOUSES)
    expect(second.counts).toEqual({ refused: 0, unchanged: 2 })
    expect(await own()).toEqual(listings)
  })

  it('creates drafts if the agent prefers, and never changes the status of what exists unless the row says so', async () => {
    await importAll(exchange, agent, HOUSES, false)
    expect((await own()).map(({ status }) => status)).toEqual(['draft', 'draft'])
    await importAll(exchange, agent, HOUSES.replace('1.8 MDP', '1.9 MDP'))
    expect((await own()).map(({ status }) => status)).toEqual(['draft', 'draft'])
    const rows = [
      [...HEADER, 'Estatus'],
      ['A-1', '', '', '', '', 'Disponible'],
      ['A-2', '', '', '', '', 'Vendida'],
    ]
    await importAll(exchange, agent, csv(rows))
    expect((await own()).map(({ source_id, status }) => [source_id, status]).sort()).toEqual([
      ['A-1', 'published'],
      ['A-2', 'draft'],
    ])
  })

  it('leaves what is empty in the file as it is', async () => {
    await exchange.listing(agent, { external_id: 'A-1', description: 'Mía', bedrooms: 3 })
    await importAll(
      exchange,
      agent,
      csv([
        ['Clave', 'Descripción', 'Recámaras'],
        ['A-1', 'N/A', '4'],
      ]),
    )
    const [{ id } = { id: '' }] = await own()
    expect((await exchange.get(`/properties/${id}`, agent.key)).body).toMatchObject({
      description: 'Mía',
      bedrooms: 4,
    })
  })

  it('tells the agent’s own systems, as any edit in the portal does', async () => {
    await importAll(exchange, agent, HOUSES)
    const [{ id } = { id: '' }] = await own()
    await importAll(exchange, agent, HOUSES.replace('1.8 MDP', '1.9 MDP').replace('2,500,000', '2,600,000'))
    expect((await exchange.events(id)).map(({ event }) => event)).toEqual([
      'listing.published',
      'listing.updated',
    ])
  })

  it('never touches another agent’s listing of the same name', async () => {
    const other = await exchange.agent()
    const { id } = await exchange.published(other, { external_id: 'A-1' })
    const before = (await exchange.get(`/properties/${id}`, other.key)).body
    await importAll(exchange, agent, HOUSES)
    expect((await exchange.get(`/properties/${id}`, other.key)).body).toEqual(before)
  })

  it('refuses the second row of a listing, naming the first', async () => {
    const { id, counts } = await check(exchange, agent, `${HOUSES}A-1,Otra casa,3 MDP,León,Guanajuato\r\n`)
    expect(counts).toEqual({ created: 2, refused: 1 })
    expect(await refusedRows(id)).toMatchObject([
      { number: 4, issues: [{ field: 'external_id', code: 'row_repeated', params: { row: 2 } }] },
    ])
  })
})

describe('undo', () => {
  it('leaves the listings as they were: what was created is gone, what was changed is back', async () => {
    await exchange.published(agent, {
      external_id: 'A-1',
      rent_price: 12_000,
      features: ['Alberca'],
      images: ['https://fotos.example/1.jpg', 'https://fotos.example/2.jpg'],
    })
    await exchange.listing(agent, { external_id: 'A-9' })
    const before = await everything()
    const rows = [
      [...HEADER, 'Fotos', 'Amenidades', 'Estatus'],
      [
        'A-1',
        'Casa con otro nombre',
        '2 MDP',
        'León',
        'Gto.',
        'https://fotos.example/3.jpg',
        'Jardín',
        'Retirada',
      ],
      ['A-2', 'Casa nueva', '2 MDP', 'León', 'Gto.', '', '', ''],
    ]
    const { id } = await importAll(exchange, agent, csv(rows))
    expect((await own()).length).toBe(3)
    await undoImport(exchange.db, agent.id, id, new Date())
    await work(exchange, id)
    const after = await findOwn(exchange.db, agent.id, id)
    expect([after.phase, after.counts]).toMatchObject(['undone', { undone: 2 }])
    expect(await everything()).toEqual(before)
  })

  it('keeps what the agent changed afterwards, and withdraws what a lead is about', async () => {
    const { id } = await importAll(exchange, agent, HOUSES)
    const [edited, asked] = (await own()).sort((a, b) => a.source_id.localeCompare(b.source_id))
    await exchange.put(`/properties/${edited?.id}`, agent.key, { bedrooms: 5 })
    await exchange.post('/leads', agent.key, { name: 'Eva', property_id: asked?.id })
    await undoImport(exchange.db, agent.id, id, new Date())
    await work(exchange, id)
    expect((await findOwn(exchange.db, agent.id, id)).counts).toMatchObject({ undone: 1, kept: 1 })
    const left = await own()
    expect(left.map(({ source_id, status }) => [source_id, status]).sort()).toEqual([
      ['A-1', 'published'],
      ['A-2', 'withdrawn'],
    ])
  })

  it('is possible once, for 24 hours, and only for a finished run', async () => {
    const { id } = await check(exchange, agent, HOUSES)
    await expect(undoImport(exchange.db, agent.id, id, new Date())).rejects.toMatchObject({
      kind: 'conflict',
    })
    await confirmImport(exchange.db, agent.id, id, { publishes: true, unpublishes: true })
    await work(exchange, id)
    const late = new Date(Date.now() + 24 * 3_600_000 + 60_000)
    await expect(undoImport(exchange.db, agent.id, id, late)).rejects.toMatchObject({ kind: 'not_found' })
    await undoImport(exchange.db, agent.id, id, new Date())
    await work(exchange, id)
    await expect(undoImport(exchange.db, agent.id, id, new Date())).rejects.toMatchObject({
      kind: 'conflict',
    })
  })
})

describe('the steps of an import', () => {
  it('remember what the agent chose for a column', async () => {
    const content = csv([['Folio raro', 'Lo que sea', ...HEADER.slice(1)]])
    const { id, columns } = await upload(
      exchange,
      agent,
      `${content}A-1,x,Casa con jardín,2 MDP,León,Gto.\r\n`,
    )
    expect(columns.slice(0, 2).map(({ target }) => target)).toEqual([null, null])
    const targets = columns.map(({ target }, i) => (i === 0 ? ('external_id' as const) : target))
    await chooseColumns(exchange.db, agent.id, id, targets)
    await cancelImport(exchange.db, exchange.files, agent.id, id, new Date())
    const again = await upload(exchange, agent, `${content}A-1,x,Casa con jardín,2 MDP,León,Gto.\r\n`)
    expect(again.columns[0]).toEqual({ header: 'Folio raro', target: 'external_id' })
  })

  it.each([
    ['nothing that names the listings', csv([['Título'], ['Casa']]), [null], 'no_key_column'],
    [
      'one field twice',
      csv([
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ]),
      ['external_id', 'title', 'title'],
      'chosen_twice',
    ],
  ] as const)('refuse columns with %s', async (_what, content, targets, code) => {
    const { id } = await upload(exchange, agent, content)
    await expect(chooseColumns(exchange.db, agent.id, id, targets)).rejects.toMatchObject({
      details: { issues: [{ code }] },
    })
  })

  it('tell what is wrong with a file that cannot be read', async () => {
    const { phase, issues, file } = await upload(exchange, agent, Buffer.from([0, 1, 2, 3, 4]))
    expect([phase, file]).toEqual(['failed', null])
    expect(issues).toMatchObject([{ field: 'file', code: 'not_a_spreadsheet' }])
    expect((await upload(exchange, agent, 'Clave,Título\r\n')).issues).toMatchObject([
      { code: 'empty_spreadsheet' },
    ])
  })

  it('allow one unfinished import for each agent, thirty a day, and none of another agent’s', async () => {
    const { id } = await check(exchange, agent, HOUSES)
    await expect(upload(exchange, agent, HOUSES)).rejects.toMatchObject({
      details: { issues: [{ code: 'import_running' }] },
    })
    const other = await exchange.agent()
    for (const act of [
      () => findOwn(exchange.db, other.id, id),
      () => confirmImport(exchange.db, other.id, id, { publishes: true, unpublishes: true }),
      () => cancelImport(exchange.db, exchange.files, other.id, id, new Date()),
      () => undoImport(exchange.db, other.id, id, new Date()),
    ]) {
      await expect(act()).rejects.toMatchObject({ kind: 'not_found' })
    }
    await cancelImport(exchange.db, exchange.files, agent.id, id, new Date())
    expect(await listRows(exchange.db, id, { limit: 10 })).toEqual([])
    await exchange.pool.query(
      `insert into imports (agent_id, name, phase) select $1, 'x', 'canceled' from generate_series(1, 29)`,
      [agent.id],
    )
    await expect(upload(exchange, agent, HOUSES)).rejects.toMatchObject({
      details: { issues: [{ code: 'too_many_imports' }] },
    })
  })
})

describe('a messy spreadsheet', () => {
  it('is imported except for the rows nobody can understand, each with its column', async () => {
    const messy = messySheet(300, { merged: true })
    const { id, counts } = await check(exchange, agent, await xlsx(sheetOf(messy), { merges: messy.merges }))
    const rows = await refusedRows(id)
    const { columns } = await findOwn(exchange.db, agent.id, id)
    const headerOf = (field: string | undefined) =>
      columns.find(({ target }) => target === field || (target === 'price' && field?.endsWith('_price')))
        ?.header
    expect(new Map(rows.map(({ number, issues }) => [number, headerOf(issues[0]?.field)]))).toEqual(
      messy.refused,
    )
    expect(counts).toEqual({ created: messy.listings, refused: messy.refused.size })
  })

  it('gives the same as text in two encodings', async () => {
    const messy = messySheet(120)
    const { counts } = await importAll(exchange, agent, mixed(csv(sheetOf(messy), ';')))
    expect(counts).toEqual({ created: messy.listings, refused: messy.refused.size })
    expect((await own()).some(({ title }) => title.includes('Temozón'))).toBe(true)
    expect((await own()).every(({ title }) => !title.includes('�'))).toBe(true)
  })
})
