import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { addListing, createCollection, removeCollection } from '../../src/collections/service.ts'
import { FORMATS, MAX_FEEDS, MAX_READS, openFeedBox } from '../../src/feeds/rules.ts'
import { renewFeed, revokeFeed } from '../../src/feeds/service.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { useExchange } from '../support/exchange.ts'
import { newFeed, parseCsv, pathOfFeed, readFeed } from '../support/feeds.ts'

const exchange = useExchange()

const titlesIn = (body: string): string[] =>
  JSON.parse(body).content.map((listing: { title: string }) => listing.title)
const titles = async (path: string) => titlesIn((await readFeed(exchange, path)).body)

/** An exact address that is hidden, a commission and an internal number that only the agent may see. */
const SECRETS = {
  address: 'Calle Secreta 4711',
  postal_code: '44630',
  show_exact_address: false,
  shared_commission: 7.7731,
  internal_id: 'INTERNO-0815',
  external_id: 'CRM-1',
}

describe('a feed', () => {
  it('has exactly the records that the API shows to others', async () => {
    const agent = await exchange.agent()
    const other = await exchange.agent()
    const exact = {
      address: 'Av. Abierta 1',
      show_exact_address: true,
      rent_price: 20_000,
      rent_period: 'monthly',
    }
    for (const fields of [SECRETS, exact]) await exchange.published(agent, fields)
    await exchange.published(other, { title: 'Casa de otra persona' })
    const { body } = await readFeed(exchange, (await newFeed(exchange, agent)).path)
    const { content } = JSON.parse(body)
    expect(content).toHaveLength(2)
    for (const record of content) {
      expect(record).toEqual((await exchange.get(`/properties/${record.id}`, other.key)).body)
    }
    const lines = await readFeed(exchange, (await newFeed(exchange, agent, { format: 'ndjson' })).path)
    expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(
      lines.body
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(content)
  })

  it.each(FORMATS)(
    'never shows commission, hidden address, exact point or internal number as %s',
    async format => {
      const agent = await exchange.agent()
      await exchange.published(agent, {
        ...SECRETS,
        images: ['https://images.example/1.jpg'],
        description: 'Una casa amplia con jardín y terraza.',
      })
      const { statusCode, body } = await readFeed(exchange, (await newFeed(exchange, agent, { format })).path)
      expect(statusCode).toBe(200)
      expect(body).toContain('Casa con jardín en Providencia')
      expect(body).not.toMatch(
        /7\.7731|Secreta|(?<![\da-f.])44630(?![\da-f])|INTERNO|(20\.6911|103\.3782)(?!\d)|commission|@example/,
      )
    },
  )

  it('has the agent’s own, the agency’s or those of a collection, and only public ones', async () => {
    const agency = 'Casas del Feed'
    const agent = await exchange.agent({ agency })
    const colleague = await exchange.agent({ agency })
    const stranger = await exchange.agent()
    const own = await exchange.published(agent, { title: 'Casa propia' })
    await exchange.listing(agent, { title: 'Borrador propio' })
    await exchange.published(agent, { title: 'Casa reservada', idx_opt_out: true })
    await exchange.published(colleague, { title: 'Casa de colega' })
    const foreign = await exchange.published(stranger, { title: 'Casa ajena' })
    const collection = await createCollection(exchange.db, agent.id, { value: { title: 'X' }, issues: [] })
    for (const { id } of [own, foreign]) await addListing(exchange.db, agent.id, collection, id)
    const of = async (listings: string) => titles((await newFeed(exchange, agent, { listings })).path)
    expect(await of('own')).toEqual(['Casa propia'])
    expect(await of('agency')).toEqual(['Casa de colega', 'Casa propia'])
    expect(await of(collection)).toEqual(['Casa ajena', 'Casa propia'])
    const { path } = await newFeed(exchange, agent, { listings: collection })
    await removeCollection(exchange.db, agent.id, collection)
    expect((await readFeed(exchange, path)).statusCode).toBe(404)
  })

  it('follows every change at once: edits, withdrawals, a new name of the agent', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.published(agent, { title: 'Casa primera' })
    const { path } = await newFeed(exchange, agent)
    const first = await readFeed(exchange, path)
    const again = async () =>
      readFeed(exchange, path, { headers: { 'if-none-match': String(first.headers.etag) } })
    expect((await again()).statusCode).toBe(304)
    expect((await again()).body).toBe('')
    await exchange.put(`/properties/${listing.id}`, agent.key, { title: 'Casa cambiada' })
    expect(titlesIn((await again()).body)).toEqual(['Casa cambiada'])
    await exchange.db.updateTable('agents').set({ name: 'Otro Nombre' }).where('id', '=', agent.id).execute()
    expect(JSON.parse((await again()).body).content[0].agent.name).toBe('Otro Nombre')
    await exchange.post(`/properties/${listing.id}/unpublish`, agent.key)
    expect(titlesIn((await again()).body)).toEqual([])
  })

  it('is compressed, private and not for search engines; HEAD has no body', async () => {
    const agent = await exchange.agent()
    await exchange.published(agent)
    const { path } = await newFeed(exchange, agent)
    const plain = await readFeed(exchange, path)
    const zipped = await readFeed(exchange, path, { headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      etag: plain.headers.etag,
    })
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    const head = await readFeed(exchange, path, { method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', plain.headers.etag])
  })
})

describe('the address of a feed', () => {
  it('is stored only as a hash and sealed, and is not logged', async () => {
    const agent = await exchange.agent()
    const { id, path } = await newFeed(exchange, agent)
    const token = /^\/feeds\/([\w-]{32})\.json$/.exec(path)?.[1] as string
    await readFeed(exchange, path)
    const { rows } = await exchange.pool.query('select * from feeds where id = $1', [id])
    const stored = Object.values(rows[0]).map(value =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    )
    expect(stored.join(' ')).not.toContain(token)
    expect(exchange.log.join('')).toContain('/feeds/[hidden]')
    expect(exchange.log.join('')).not.toContain(token)
  })

  it('answers 404 at once when renewed or revoked, and the new one works', async () => {
    const agent = await exchange.agent()
    const { id, path } = await newFeed(exchange, agent)
    expect((await readFeed(exchange, path)).statusCode).toBe(200)
    await renewFeed(exchange.db, openFeedBox(await sharedKey(exchange.db, undefined)), agent.id, id)
    expect((await readFeed(exchange, path)).statusCode).toBe(404)
    const renewed = await pathOfFeed(exchange, agent, id)
    expect(renewed).not.toBe(path)
    expect((await readFeed(exchange, renewed)).statusCode).toBe(200)
    await revokeFeed(exchange.db, agent.id, id)
    expect((await readFeed(exchange, renewed)).statusCode).toBe(404)
  })

  it('answers 404 while its agent is not verified', async () => {
    const agent = await exchange.agent()
    const { path } = await newFeed(exchange, agent)
    await setVerified(exchange.db, agent.email, false)
    expect((await readFeed(exchange, path)).statusCode).toBe(404)
    await setVerified(exchange.db, agent.email, true)
    expect((await readFeed(exchange, path)).statusCode).toBe(200)
  })

  it.each([
    'x.json',
    `${'a'.repeat(32)}.json`,
    `${'a'.repeat(32)}`,
    '%00.json',
    `${'ñ'.repeat(32)}.csv`,
    '..%2f..%2fetc',
  ])('answers 404 to %s', async file =>
    expect((await readFeed(exchange, `/feeds/${file}`)).statusCode).toBe(404),
  )

  it('answers 404 with another extension, and 405 to writes', async () => {
    const { path } = await newFeed(exchange, await exchange.agent())
    expect((await readFeed(exchange, path.replace('.json', '.csv'))).statusCode).toBe(404)
    expect((await readFeed(exchange, path, { method: 'POST' })).statusCode).toBe(405)
  })

  it('remembers when and by whom it was read: the program and the network, not the address', async () => {
    const agent = await exchange.agent()
    const { id, path } = await newFeed(exchange, agent)
    const read = () =>
      exchange.db.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect((await read()).read_at).toBeNull()
    await readFeed(exchange, path, { headers: { 'user-agent': `Bot ${'x'.repeat(500)}` } })
    const { read_at, read_client, read_network } = await read()
    expect([read_client?.length, read_network]).toEqual([200, '203.0.113.0/24'])
    expect(Date.now() - (read_at?.getTime() ?? 0)).toBeLessThan(60_000)
  })

  it('is limited in reads, and an agent in feeds', async () => {
    const agent = await exchange.agent()
    const { path } = await newFeed(exchange, agent)
    const statuses = []
    for (let i = 0; i <= MAX_READS; i++) statuses.push((await readFeed(exchange, path)).statusCode)
    expect(statuses).toEqual([...Array(MAX_READS).fill(200), 429])
    expect(Number((await readFeed(exchange, path)).headers['retry-after'])).toBeGreaterThan(0)
    for (let i = 1; i < MAX_FEEDS; i++) await newFeed(exchange, agent)
    await expect(newFeed(exchange, agent)).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('as CSV', () => {
  it('has every listing in a line, and no cell that a spreadsheet would run', async () => {
    const agent = await exchange.agent({ name: '@SUM(1+1)', phone: '+52 33 1111 2222' })
    const hostile = {
      title: '=HYPERLINK("http://evil.example";"Casa")',
      description: '-2+3,"cita"\r\nsegunda línea; <b>&amp;</b>',
      neighborhood: '+cmd|calc',
    }
    await exchange.published(agent, { ...hostile, features: ['Jardín', 'Terraza'], rent_price: 12_500.5 })
    const { body, headers } = await readFeed(
      exchange,
      (await newFeed(exchange, agent, { format: 'csv' })).path,
    )
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [row, ...rest] = parseCsv(body)
    expect(rest).toEqual([])
    expect(row).toMatchObject({
      title: `'${hostile.title}`,
      neighborhood: `'${hostile.neighborhood}`,
      agent_name: "'@SUM(1+1)",
      agent_phone: '+523311112222',
      sale_price: '4500000',
      rent_price: '12500.5',
      features: 'Jardín|Terraza',
    })
    expect(row?.description).toMatch(/^'-2\+3,"cita"\r?\nsegunda línea/)
    expect(Number(row?.lng)).toBeLessThan(-103)
  })
})
