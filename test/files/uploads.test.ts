import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { requestVerification } from '../../src/agents/licenses/service.ts'
import { removePhoto, setAgencyLogo, setPhoto } from '../../src/agents/profiles/service.ts'
import type { Folder, Storage } from '../../src/files/storage.ts'
import { removeUnused } from '../../src/files/sweep.ts'
import { MB } from '../../src/lib/sizes.ts'
import { addPhotos } from '../../src/listings/photos.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { inAnotherFile, multipart, signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()
const QUOTA = { files: 1_000, bytes: 100 * MB, unverifiedBytes: 100 * MB }
const DAY = 86_400_000

/** Every stored file. */
async function stored(): Promise<string[]> {
  const names: string[] = []
  for (const folder of ['media', 'documents'] as Folder[]) {
    for await (const { name } of exchange.files.list(folder)) names.push(`${folder}/${name}`)
  }
  return names.sort()
}

const countRows = async () =>
  (
    await exchange.db
      .selectFrom('uploads')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

let png: Buffer
beforeAll(async () => {
  png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c84' } })
    .png()
    .toBuffer()
})
const deps = (quota = QUOTA) => ({ db: exchange.db, uploads: { files: exchange.files, quota } })
const upload = () => ({ fileName: 'a.png', bytes: inAnotherFile(png) })

const LICENSE = { state: 'Jalisco', authority: 'Secretaría de Desarrollo', number: 'AI-1' }
const pdf = () => ({
  field: 'document',
  name: 'l.pdf',
  bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100)]),
})

describe('the license form', () => {
  it('sent 25 times keeps one document', async () => {
    const { visitor } = await signedInAgent(exchange, { verified: false })
    const before = (await stored()).length
    await visitor.open('/portal/licence')
    const page = visitor.html
    for (let i = 0; i < 25; i++) {
      visitor.html = page
      await visitor.submit('/portal/licence', LICENSE, [pdf()])
      if (i > 0) expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('En revisión')])
    }
    expect((await stored()).length).toBe(before + 1)
  })

  it('sent several times at the same moment keeps one document', async () => {
    const agent = await exchange.agent({ verified: false })
    const [before, rows] = [(await stored()).length, await countRows()]
    const claim = () => ({ ...LICENSE, document: { fileName: 'l.pdf', bytes: pdf().bytes } })
    const ends = await Promise.allSettled(
      Array.from({ length: 5 }, () => requestVerification(deps(), agent.id, claim())),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await stored()).length).toBe(before + 1)
    expect(await countRows()).toBe(rows + 1)
  })

  it('with a file that cannot be read keeps nothing', async () => {
    const { visitor } = await signedInAgent(exchange, { verified: false })
    const before = await stored()
    await visitor.open('/portal/licence')
    const bytes = Buffer.from('no document at all')
    await visitor.submit('/portal/licence', LICENSE, [{ field: 'document', name: 'x.pdf', bytes }])
    expect(visitor.status).toBe(422)
    expect(await stored()).toEqual(before)
  })
})

describe('the agency’s logo', () => {
  const logo = () => ({ field: 'logo', name: 'logo.png', bytes: png })

  it('is neither read nor stored for agents who do not manage the agency', async () => {
    const { visitor } = await signedInAgent(exchange, { agency: 'Casas Ajenas' })
    const before = await stored()
    await visitor.open('/portal/profile')
    const fields: [string, string][] = [['_token', visitor.token]]
    await visitor.request('POST', '/portal/agency/logo', multipart(fields, [logo()]))
    expect(visitor.status).toBe(404)
    expect(await stored()).toEqual(before)
  })

  it('replaces the previous one, which is removed', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { agency: 'Casas Propias' })
    await exchange.db
      .updateTable('agents')
      .set({ is_agency_admin: true })
      .where('id', '=', agent.id)
      .execute()
    const before = (await stored()).length
    for (let i = 0; i < 3; i++) {
      await visitor.open('/portal/agency')
      await visitor.submit('/portal/agency/logo', {}, [logo()])
      expect(visitor.text).toContain('Logotipo guardado.')
    }
    expect((await stored()).length).toBe(before + 1)
  })
})

describe('a failed upload', () => {
  it('leaves neither a row nor a file when the disk is full at the second size', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    let puts = 0
    const full: Storage = {
      ...exchange.files,
      async put(...args) {
        if (++puts === 2) throw new Error('disk full')
        return exchange.files.put(...args)
      },
    }
    const [before, rows] = [await stored(), await countRows()]
    const adding = addPhotos({ ...deps(), uploads: { files: full, quota: QUOTA } }, agent.id, listing.id, [
      upload(),
    ])
    await expect(adding).rejects.toThrow('disk full')
    expect(puts).toBe(2)
    expect(await stored()).toEqual(before)
    expect(await countRows()).toBe(rows)
    expect((await exchange.get(`/properties/${listing.id}`, agent.key)).body.images).toEqual([])
  })

  it('is not even read when a listing already has the maximum of photos', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    const urls = Array.from({ length: 60 }, (_, i) => `https://img.example/${listing.id}/${i}.jpg`)
    for (let i = 0; i < 200; i += 50) {
      const batch = urls.slice(0, 50).map(url => `${url}?${i}`)
      await exchange.post(`/properties/${listing.id}/images`, agent.key, { urls: batch })
    }
    const before = await stored()
    await expect(addPhotos(deps(), agent.id, listing.id, [upload()])).rejects.toMatchObject({
      details: { issues: [{ code: 'too_many_images' }] },
    })
    expect(await stored()).toEqual(before)
  })
})

describe('the quota of an account', () => {
  const small = { files: 40, bytes: 100 * MB, unverifiedBytes: 100 * MB }

  it('counts all kinds of files together, and returns what is removed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const few = deps({ ...small, files: 3 })
    const listing = await exchange.listing(agent)
    await addPhotos(few, agent.id, listing.id, [upload(), upload()])
    await setPhoto(few, agent.id, png)
    const refusal = { details: { issues: [{ code: 'quota_files', params: { max: 3 } }] } }
    await expect(addPhotos(few, agent.id, listing.id, [upload()])).rejects.toMatchObject(refusal)
    // A replaced picture takes no more space.
    expect(await setPhoto(few, agent.id, png)).toBe(true)
    await visitor.open(`/portal/listings/${listing.id}/photos`)
    const [photo = ''] = /(?<=name="remove" value=")[^"]+/.exec(visitor.html) ?? []
    await visitor.submit(`/portal/listings/${listing.id}/photos/arrange`, { remove: photo })
    await addPhotos(few, agent.id, listing.id, [upload()])
    await expect(addPhotos(few, agent.id, listing.id, [upload()])).rejects.toMatchObject(refusal)
  })

  it('rejects a whole form if not all of its files fit', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    const before = await stored()
    const adding = addPhotos(deps({ ...small, files: 2 }), agent.id, listing.id, [
      upload(),
      upload(),
      upload(),
    ])
    await expect(adding).rejects.toMatchObject({ kind: 'validation' })
    expect(await stored()).toEqual(before)
  })

  it('counts bytes', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    const adding = addPhotos(deps({ ...small, bytes: 100 }), agent.id, listing.id, [upload()])
    await expect(adding).rejects.toMatchObject({
      details: { issues: [{ code: 'quota_megabytes', params: { max: 0 } }] },
    })
  })

  it('holds when many forms arrive at once', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        addPhotos(deps({ ...small, files: 3 }), agent.id, listing.id, [upload()]),
      ),
    )
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it('is a twentieth for unverified agents, and the form says so', async () => {
    const agent = await exchange.agent({ verified: false })
    const photo = () => setPhoto(deps({ ...small, files: 19 }), agent.id, png)
    await expect(photo()).rejects.toMatchObject({
      details: { issues: [{ code: 'quota_files', params: { max: 0 } }] },
    })
  })

  it('is shared by all unverified agents', async () => {
    const one = await exchange.agent({ verified: false })
    const { bytes } = await unverifiedBytes()
    const together = { ...small, unverifiedBytes: bytes + 2_000 }
    let accepted = 0
    for (let i = 0; i < 30; i++) {
      const agent = i === 0 ? one : await exchange.agent({ verified: false })
      const end = await setPhoto(deps(together), agent.id, png).catch(error => error.details.issues)
      if (end === true) accepted++
      else expect(end).toMatchObject([{ code: 'quota_unverified' }])
    }
    expect(accepted).toBeGreaterThan(0)
    expect((await unverifiedBytes()).bytes).toBeLessThanOrEqual(together.unverifiedBytes)
    expect(await setPhoto(deps(together), (await exchange.agent()).id, png)).toBe(true)
  })

  const unverifiedBytes = async () =>
    (
      await exchange.pool.query<{ bytes: number }>(`
        select coalesce(sum(bytes), 0)::float8 as bytes from uploads where id in (
          select u.id from upload_uses u join agents a on a.id = u.agent_id where a.verified_at is null)`)
    ).rows[0] as { bytes: number }
})

describe('the daily job', () => {
  const tomorrow = () => new Date(Date.now() + DAY + 60_000)
  const orphan = () => exchange.files.put('media', `${randomBytes(16).toString('hex')}-full.webp`, png)

  it('removes only files that nothing refers to', async () => {
    const { agent } = await signedInAgent(exchange, { agency: 'Casas Barridas' })
    await exchange.db
      .updateTable('agents')
      .set({ is_agency_admin: true })
      .where('id', '=', agent.id)
      .execute()
    const listing = await exchange.listing(agent)
    await addPhotos(deps(), agent.id, listing.id, [upload()])
    await setPhoto(deps(), agent.id, png)
    await setAgencyLogo({ ...deps(), publicUrl: PUBLIC_URL }, agent.id, png)
    const document = { fileName: 'l.pdf', bytes: pdf().bytes }
    await requestVerification(deps(), agent.id, { ...LICENSE, document })
    const kept = await stored()
    for (let i = 0; i < 3; i++) await orphan()
    expect(await removeUnused(exchange.db, exchange.files, tomorrow())).toEqual({ removed: 3 })
    expect(await stored()).toEqual(kept)
    expect(await removeUnused(exchange.db, exchange.files, tomorrow())).toEqual({ removed: 0 })
  })

  it('keeps files from the last day: their form may still be running', async () => {
    await orphan()
    const before = await stored()
    expect(await removeUnused(exchange.db, exchange.files, new Date())).toEqual({ removed: 0 })
    expect(await stored()).toEqual(before)
  })

  it('counts files from before the quota, both sizes together', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.listing(agent)
    await addPhotos(deps(), agent.id, listing.id, [upload()])
    const uploads = () => exchange.db.selectFrom('uploads').select(['id', 'bytes']).orderBy('id').execute()
    const before = await uploads()
    await exchange.db.deleteFrom('uploads').execute()
    await removeUnused(exchange.db, exchange.files, tomorrow())
    expect(await uploads()).toEqual(before)
  })

  it('forgets uploads whose files are already removed', async () => {
    const agent = await exchange.agent()
    await setPhoto(deps(), agent.id, png)
    const rows = await countRows()
    await removePhoto(deps(), agent.id)
    await removeUnused(exchange.db, exchange.files, tomorrow())
    expect(await countRows()).toBeLessThan(rows)
  })

  it('removes nothing if most files are unknown: they belong to another database', async () => {
    const many = 101 + (await stored()).length
    for (let i = 0; i < many; i++) await orphan()
    const before = await stored()
    const swept = await removeUnused(exchange.db, exchange.files, tomorrow())
    expect(swept).toEqual({ suspicious: expect.any(Number) })
    expect(await stored()).toEqual(before)
  })
})
