/**
 * A site that shows the listings of the exchange from a copy of its own, which it follows, proves and repairs:
 *   LONJA=http://127.0.0.1:3000/api/v1 KEY=svc_… node examples/follower.mjs copy.json 8080
 */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const { LONJA, KEY } = process.env
const HEADERS = { authorization: `Bearer ${KEY}` }
const [file = 'copy.json', port = '8080'] = process.argv.slice(2)
const PROVE_EVERY_MS = Number(process.env.PROVE_EVERY_MS ?? 600_000)

const listings = new Map()
let cursor // saved with the listings, so that a crash never leaves one without the other
try {
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  for (const listing of saved.listings) listings.set(listing.id, listing)
  cursor = saved.cursor
} catch {}
function save() {
  writeFileSync(`${file}.part`, JSON.stringify({ cursor, listings: [...listings.values()] }))
  renameSync(`${file}.part`, file)
}

/** Tried again until it works; undefined if the cursor is gone. */
async function get(path) {
  for (;;) {
    const answer = await fetch(`${LONJA}${path}`, { headers: HEADERS }).catch(() => undefined)
    if (answer?.ok) return answer.json()
    if (answer?.status === 410) return undefined
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(await answer.text())
    await sleep(1000 * Number(answer?.headers.get('retry-after') ?? 1))
  }
}

/** One page of changes; true if more are there. */
async function follow(wait) {
  const page = await get(`/changes?${new URLSearchParams({ limit: 1000, wait, ...(cursor && { cursor }) })}`)
  if (!page) {
    listings.clear()
    cursor = undefined
    return true
  }
  for (const { op, id, listing } of page.content)
    if (op === 'put') listings.set(id, listing)
    else listings.delete(id)
  cursor = page.cursor
  if (page.content.length > 0) save()
  return page.more
}

const wordOf = ({ id, version }) => createHash('sha256').update(`${id}:${version}`).digest().readBigUInt64BE()
function hashOf(some) {
  let hash = 0n
  for (const one of some) hash ^= wordOf(one)
  return hash.toString(16).padStart(16, '0')
}

/** Finds what is wrong by bucket, then by id, and reads only that anew. */
async function prove() {
  const digest = await get('/digest')
  if (digest.hash === hashOf(listings.values()) && digest.count === listings.size) return
  const stale = []
  for (const { prefix, hash } of digest.buckets) {
    const mine = [...listings.values()].filter(({ id }) => id.startsWith(prefix))
    if (hashOf(mine) === hash) continue
    const { content } = await get(`/digest?prefix=${prefix}`)
    const right = new Map(content.map(({ id, version }) => [id, version]))
    for (const { id } of mine) if (!right.has(id)) listings.delete(id)
    for (const [id, version] of right) if (listings.get(id)?.version !== version) stale.push(id)
  }
  for (let i = 0; i < stale.length; i += 100)
    for (const listing of (await get(`/properties?ids=${stale.slice(i, i + 100)}`)).content)
      listings.set(listing.id, listing)
  console.log(`repaired ${stale.length}, now ${listings.size}`)
  save()
}

const plain = text => String(text ?? '').replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const item = ({ title, url, agent, agency, operations: [price] }) =>
  `<li><a href="${plain(url)}">${plain(title)}</a> ${plain(price?.formatted_amount)}, ${plain(agent.name)} ${plain(agency?.name)}`
createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><title>Listings</title><h1>${listings.size}</h1><ul>${[...listings.values()].map(item).join('')}</ul>`,
  )
}).listen(Number(port), '127.0.0.1')

for (let provedAt = 0; ; ) {
  while (await follow(0));
  if (Date.now() - provedAt > PROVE_EVERY_MS) {
    await prove()
    provedAt = Date.now()
  }
  await follow(Math.min(30, PROVE_EVERY_MS / 1000))
  await sleep(1000) // or a busy market would use up the budget of requests
}
