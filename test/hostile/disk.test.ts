import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Folder } from '../../src/files/storage.ts'
import { MB } from '../../src/lib/sizes.ts'
import { useExchange } from '../support/exchange.ts'
import { inAnotherFile, multipart, signedInAgent, Visitor } from '../support/visitor.ts'

/** Everything strangers can store is filled to ten times its bound. */
const TIMES = 10
const isThorough = process.env.THOROUGH === '1'
/** For one account without a verified license; the quota is twenty times that. */
const FILES = isThorough ? 12 : 4
const TOGETHER = isThorough ? 0.5 * MB : 0.15 * MB

const exchange = useExchange({
  uploadQuota: { files: FILES * 20, bytes: 20 * 20 * MB, unverifiedBytes: TOGETHER },
})

let noise: Buffer
beforeAll(async () => {
  // A picture that does not compress: 60 × 60 pixels of noise.
  const points = randomBytes(60 * 60 * 3)
  noise = await sharp(points, { raw: { width: 60, height: 60, channels: 3 } })
    .png()
    .toBuffer()
})

async function onDisk() {
  let [files, bytes] = [0, 0]
  for (const folder of ['media', 'documents'] as Folder[]) {
    for await (const file of exchange.files.list(folder)) {
      files++
      bytes += file.bytes
    }
  }
  return { files, bytes }
}

async function newcomer() {
  const { agent, visitor } = await signedInAgent(exchange, { verified: false })
  return { agent, visitor, token: visitor.token }
}

type Newcomer = Awaited<ReturnType<typeof newcomer>>

/** To a draft, as JSON, so that no page is rendered in between. */
async function sendPhoto({ visitor, token }: Newcomer, listingId: string): Promise<number> {
  const form = multipart(
    [['_token', token]],
    [{ field: 'photos', name: 'a.png', bytes: inAnotherFile(noise) }],
  )
  const headers = { ...form.headers, accept: 'application/json' }
  await visitor.request('POST', `/portal/listings/${listingId}/photos`, { ...form, headers })
  return visitor.status
}

async function draftOf({ agent }: Newcomer): Promise<string> {
  const owner = { ...agent, key: '' }
  await exchange.db
    .updateTable('agents')
    .set({ verified_at: new Date() })
    .where('id', '=', owner.id)
    .execute()
  const { id } = await exchange.listing({ ...owner, key: await exchange.key(agent.email) })
  await exchange.db.updateTable('agents').set({ verified_at: null }).where('id', '=', owner.id).execute()
  return id
}

describe('the disk', () => {
  it('stores no more for one unverified account than its quota', async () => {
    const person = await newcomer()
    const draft = await draftOf(person)
    const before = await onDisk()
    const statuses = new Set<number>()
    for (let i = 0; i < FILES * TIMES; i++) statuses.add(await sendPhoto(person, draft))
    expect([...statuses].sort()).toEqual([200, 422])
    const after = await onDisk()
    // Each in two sizes.
    expect(after.files - before.files).toBe(FILES * 2)
  })

  it('stores no more for all unverified accounts than their shared quota', async () => {
    const each = noise.length
    const people = Math.ceil((TOGETHER * TIMES) / (each * FILES))
    for (let i = 0; i < Math.min(people, isThorough ? 60 : 8); i++) {
      const person = await newcomer()
      const draft = await draftOf(person)
      for (let sent = 0; sent < FILES + 1; sent++) await sendPhoto(person, draft)
    }
    const { bytes } = await onDisk()
    expect(bytes).toBeGreaterThan(TOGETHER / 2)
    expect(bytes).toBeLessThanOrEqual(TOGETHER)
  })

  it('stores nothing without an account, whatever is sent to any route', async () => {
    const before = await onDisk()
    const stranger = await new Visitor(exchange).open('/portal/sign-in')
    const paths = ['/portal/licence', '/portal/agency/logo', '/portal/profile/photo', '/identificacion/x']
    for (const path of paths) {
      for (let i = 0; i < TIMES; i++) {
        const files = [{ field: 'photo', name: 'a.png', bytes: noise }]
        await stranger.request('POST', path, multipart([['_token', stranger.token]], files))
        expect(stranger.status).not.toBe(200)
      }
    }
    expect(await onDisk()).toEqual(before)
  })
})
