import { type FormatName, openFeedBox } from '../../src/feeds/rules.ts'
import { addressOf, createFeed, findOwn } from '../../src/feeds/service.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { type Exchange, PUBLIC_URL, type TestAgent } from './exchange.ts'

const boxOf = async (exchange: Exchange) => openFeedBox(await sharedKey(exchange.db, undefined))

/** A new feed of that agent. */
export async function newFeed(
  exchange: Exchange,
  agent: TestAgent,
  { format = 'json', listings = 'own' }: { format?: FormatName; listings?: string } = {},
) {
  const value = { name: 'Mi feed', format, listings }
  const id = await createFeed(exchange.db, await boxOf(exchange), agent.id, { value, issues: [] })
  return { id, path: await pathOfFeed(exchange, agent, id) }
}

/** The path of its address, as its agent sees it. */
export async function pathOfFeed(exchange: Exchange, agent: TestAgent, id: string): Promise<string> {
  const feed = await findOwn(exchange.db, agent.id, id)
  return addressOf(await boxOf(exchange), PUBLIC_URL, feed)?.slice(PUBLIC_URL.length) as string
}

/** As a portal's program reads it. */
export const readFeed = (
  exchange: Exchange,
  path: string,
  { headers = {}, method = 'GET' as 'GET' | 'HEAD' | 'POST' } = {},
) =>
  exchange.app.inject({
    method,
    url: path,
    remoteAddress: '203.0.113.77',
    headers: { host: 'lonja.example', 'user-agent': 'Portal-Bot/2.1', ...headers },
  })

/** Of RFC 4180: quoted cells may hold commas, quotes and line breaks. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && plain === '' && quoted === undefined) break
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  const [header = [], ...lines] = rows.filter(row => row.length > 0)
  return lines.map(line => Object.fromEntries(header.map((name, i) => [name, line[i] ?? ''])))
}
