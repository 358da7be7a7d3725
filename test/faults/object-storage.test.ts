import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lonja } from '../../src/cli/command-line.ts'
import { diskStorage } from '../../src/files/disk.ts'
import { randomName } from '../../src/files/images.ts'
import { contentOf } from '../../src/files/move.ts'
import { FOLDERS, type Storage } from '../../src/files/storage.ts'
import { removeUnused } from '../../src/files/sweep.ts'
import { Away } from '../../src/lib/problem.ts'
import { useExchange } from '../support/exchange.ts'
import { Relay } from '../support/relay.ts'
import { S3Server, storageAt } from '../support/s3-server.ts'
import { describeStorage, namesIn } from '../support/storage-contract.ts'
import { signedInAgent } from '../support/visitor.ts'

let server: S3Server
let relay: Relay
let files: Storage
let home: string
beforeAll(async () => {
  server = await S3Server.start()
  relay = await Relay.to(server.origin)
  files = storageAt(await server.bucket('exchange').then(url => relay.urlOf(url)))
  home = await mkdtemp(join(tmpdir(), 'lonja-move-'))
})
afterAll(async () => {
  await relay?.close()
  await server?.stop()
  if (home) await rm(home, { recursive: true, force: true })
})
const exchange = useExchange({ openFiles: () => files })

let buckets = 0
const newBucket = () => server.bucket(`bucket-${++buckets}`)
const photo = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#c84' } })
    .jpeg()
    .toBuffer()
const get = (url: string, headers = {}) => exchange.app.inject({ url, headers })

async function uploadedPhoto(): Promise<string> {
  const { agent, visitor } = await signedInAgent(exchange)
  const { id } = await exchange.listing(agent)
  await visitor.open(`/portal/listings/${id}/photos`)
  await visitor.submit(`/portal/listings/${id}/photos`, {}, [
    { field: 'photos', name: 'a.jpg', bytes: await photo() },
  ])
  const { url } = await exchange.db
    .selectFrom('listing_images')
    .select('url')
    .where('listing_id', '=', id)
    .executeTakeFirstOrThrow()
  return url
}

describeStorage('in a bucket', async () => storageAt(await newBucket()))

describe('a bucket', () => {
  it('is listed to the end, page by page, and a prefix keeps installations apart', async () => {
    const url = await newBucket()
    const [one, other] = ['one', 'two/deep'].map(prefix => storageAt(url.replace('?', `/${prefix}?`))) as [
      Storage,
      Storage,
    ]
    // The server of the tests lists ten at a time.
    const names = Array.from({ length: 25 }, () => `${randomName()}.webp`)
    for (const name of names) await one.put('media', name, Buffer.from('x'))
    expect(await namesIn(one, 'media')).toEqual(names.sort())
    expect(await namesIn(other, 'media')).toEqual([])
  })

  it('gives nothing to anyone without the key, and nothing to a wrong one', async () => {
    const url = await newBucket()
    const name = `${randomName()}.pdf`
    await storageAt(url).put('documents', name, Buffer.from('%PDF-'))
    const open = await fetch(`${server.origin}${new URL(url).pathname}/documents/${name}`)
    expect([open.ok, await open.text()]).toEqual([false, expect.not.stringContaining('%PDF')])
    const wrong = storageAt(url.replace('signs', 'sings'))
    await expect(wrong.stream('documents', name)).rejects.toThrow(Away)
    await expect(wrong.exists('documents', name)).rejects.toThrow('403')
    await expect(wrong.put('documents', name, Buffer.from('y'))).rejects.toThrow('SignatureDoesNotMatch')
    expect(await wrong.condition()).toBe('the object storage answered 403 SignatureDoesNotMatch')
  })

  it('that does not exist is a fault, not an empty one', async () => {
    const none = storageAt((await newBucket()).replace(/bucket-\d+/, 'nowhere'))
    await expect(none.stream('media', `${randomName()}.webp`)).rejects.toThrow('NoSuchBucket')
    await expect(namesIn(none, 'media')).rejects.toThrow('NoSuchBucket')
    expect(await none.condition()).toContain('NoSuchBucket')
  })
})

describe('an exchange with a bucket', () => {
  it('shows photos with the same headers as from disk, and answers 304 to who has them', async () => {
    const url = await uploadedPhoto()
    const { statusCode, headers, rawPayload } = await get(url)
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'public, max-age=3600',
    ])
    expect(rawPayload.length).toBe(Number(headers['content-length']))
    expect((await sharp(rawPayload).metadata()).width).toBe(60)
    const again = await get(url, { 'if-none-match': headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get(`/media/${randomName()}.webp`)).statusCode).toBe(404)
  })

  it('removes after a day what nothing refers to', async () => {
    const url = await uploadedPhoto()
    const stray = `${randomName()}.webp`
    await files.put('media', stray, Buffer.from('x'))
    expect(await removeUnused(exchange.db, files, new Date())).toEqual({ removed: 0 })
    expect(await removeUnused(exchange.db, files, new Date(Date.now() + 25 * 3_600_000))).toEqual({
      removed: 1,
    })
    expect(await files.exists('media', stray)).toBe(false)
    expect((await get(url)).statusCode).toBe(200)
  })

  it('answers 503 within seconds while the bucket is silent, stores nothing, and goes on afterwards', async () => {
    const url = await uploadedPhoto()
    const rows = async () => (await exchange.db.selectFrom('uploads').select('id').execute()).length
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await visitor.open(`/portal/listings/${id}/photos`)
    const before = await rows()
    relay.hold()
    const begun = performance.now()
    try {
      const shown = await get(url)
      expect([shown.statusCode, shown.headers['retry-after']]).toEqual([503, '5'])
      expect(shown.headers['cache-control'] ?? '').not.toContain('max-age')
      expect(performance.now() - begun).toBeLessThan(15_000)
      expect(await storageAt(relay.urlOf(await newBucket())).condition()).toContain('no answer within 1 s')
      await visitor.submit(`/portal/listings/${id}/photos`, {}, [
        { field: 'photos', name: 'a.jpg', bytes: await photo() },
      ])
      expect(visitor.status).toBe(503)
      expect(await rows()).toBe(before)
    } finally {
      relay.release()
    }
    expect((await get(url)).statusCode).toBe(200)
    expect(exchange.log.join('')).toContain('the object storage gave no answer')
    expect(exchange.log.join('')).not.toMatch(/a-secret|AWS4-HMAC/)
  })
})

describe('lonja files move', () => {
  const move = async (settings: Record<string, string>, to: string) => {
    const said: string[] = []
    const remarks: string[] = []
    const code = await lonja(['files', 'move', '--to', to, '--json'], {
      settings: () => settings,
      print: line => said.push(line),
      remark: line => remarks.push(line),
    })
    return {
      code,
      data: said.length > 0 ? JSON.parse(said.join('')) : undefined,
      remarks: remarks.join('\n'),
    }
  }

  it('copies everything to a bucket and back, compares it, and does only what is missing when it is repeated', async () => {
    const disk = diskStorage(join(home, 'from'))
    const stored = { media: `${randomName()}-full.webp`, documents: `${randomName()}.pdf` }
    for (const folder of FOLDERS) await disk.put(folder, stored[folder], Buffer.from(`in ${folder}`))
    const url = await newBucket()
    const bucket = storageAt(url)
    // As after an interruption: one is there, but not as it should be.
    await bucket.put('media', stored.media, Buffer.from('other bytes'))

    const there = await move({ LONJA_DATA: join(home, 'from') }, url)
    expect(there).toMatchObject({ code: 0, data: { files: 2, copied: 2 } })
    expect(there.remarks).toContain('Others on this machine can see the key')
    const { data } = await move({ LONJA_DATA: join(home, 'from') }, url)
    expect(data).toMatchObject({ files: 2, copied: 0 })
    const back = await move({ LONJA_DATA: join(home, 'from'), STORAGE_URL: url }, join(home, 'back'))
    expect(back).toMatchObject({ code: 0, data: { files: 2, copied: 2 }, remarks: '' })
    for (const folder of FOLDERS) {
      for (const place of [disk, bucket, diskStorage(join(home, 'back'))]) {
        expect(String(await contentOf(place, folder, stored[folder]))).toBe(`in ${folder}`)
      }
    }
  })

  it('says what is wrong with a place, without its key', async () => {
    const settings = { LONJA_DATA: join(home, 'from') }
    const wrong = await move(settings, 's3://key:hidden@host')
    expect(wrong.code).toBe(1)
    expect(wrong.remarks).toContain('--to must be a folder or s3://KEY:SECRET@host/bucket')
    const refused = await move(settings, (await newBucket()).replace('signs', 'sings'))
    expect(refused.code).toBe(1)
    expect(refused.remarks).toContain('the object storage answered 403 SignatureDoesNotMatch')
    expect(wrong.remarks + refused.remarks).not.toMatch(/hidden|sings/)
  })
})
