import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const read = (id: string) => exchange.get(`/properties/${id}`, agent.key)

/** Everything that changes a listing, under both of its addresses. */
const WRITES = ['/properties/{id}', '/my/properties/{external_id}'].flatMap(path => [
  ['PUT', path],
  ['DELETE', path],
  ['POST', `${path}/publish`],
  ['POST', `${path}/unpublish`],
]) as [string, string][]

async function prepare() {
  const listing = await exchange.listing(agent, { external_id: `A/${randomUUID()}` })
  const write = (method: string, path: string, ifMatch?: string, bedrooms = 9) =>
    exchange.call(
      method,
      path.replace('{id}', listing.id).replace('{external_id}', encodeURIComponent(listing.source_id)),
      {
        key: agent.key,
        ...(method === 'PUT' ? { body: { bedrooms } } : {}),
        ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
      },
    )
  return { listing, write }
}

describe.each(WRITES)('If-Match on %s %s', (method, path) => {
  it('lets the write happen for the version it names, and the answer names the new one', async () => {
    const { listing, write } = await prepare()
    const first = await write(method, path, `"ffffffffffffffff", "${listing.version}"`)
    expect(first.status).toBe(200)
    const after = await read(listing.id)
    expect(first.headers.etag).toBe(after.headers.etag)
    expect(after.body.version).not.toBe(listing.version)
    // Without quotes, as it is in the record; and `*` is any.
    expect((await write(method, path, after.body.version, 8)).status).toBe(200)
    expect((await write(method, path, '*', 7)).status).toBe(200)
  })

  it('answers 412 with the current version for any other, and nothing happens', async () => {
    const { listing, write } = await prepare()
    await exchange.put(`/properties/${listing.id}`, agent.key, { bedrooms: 1 })
    const now = await read(listing.id)
    for (const stale of [`"${listing.version}"`, `W/${now.headers.etag}`, '""', '"x"', 'x,,"', '']) {
      const { status, headers, body } = await write(method, path, stale)
      expect([stale, status, headers.etag, body.error]).toEqual([
        stale,
        412,
        now.headers.etag,
        'precondition_failed',
      ])
    }
    expect(await read(listing.id)).toMatchObject({ body: now.body })
    expect(await exchange.events(listing.id)).toEqual([])
  })
})

it('of ten different writes at once that name one version, one happens', async () => {
  const { listing, write } = await prepare()
  const attempts = Array.from({ length: 10 }, (_, i) => WRITES[i % WRITES.length] as [string, string])
  const answers = await Promise.all(
    attempts.map(([method, path]) => write(method, path, `"${listing.version}"`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  const winner = answers.find(({ status }) => status === 200)
  expect((await read(listing.id)).headers.etag).toBe(winner?.headers.etag)
})

it('a change of the agent counts: the record is another one', async () => {
  const someone = await exchange.agent()
  const listing = await exchange.listing(someone)
  await exchange.db.updateTable('agents').set({ name: 'Ana Ruiz' }).where('id', '=', someone.id).execute()
  const publish = await exchange.post(`/properties/${listing.id}/publish`, someone.key, undefined, {
    headers: { 'if-match': `"${listing.version}"` },
  })
  expect(publish.status).toBe(412)
})
