import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawVariants, VARIANTS_TASK } from '../../src/files/variants.ts'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { visit } from '../support/site.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()

async function listingWithPhoto(width = 800) {
  const { agent, visitor } = await signedInAgent(exchange)
  const { id } = await exchange.listing(agent)
  const bytes = await sharp({ create: { width, height: 600, channels: 3, background: '#c63' } })
    .jpeg()
    .toBuffer()
  await visitor.open(`/portal/listings/${id}/photos`)
  await visitor.submit(`/portal/listings/${id}/photos`, {}, [{ field: 'photos', name: 'a.jpg', bytes }])
  const { url, thumb } = await exchange.db
    .selectFrom('listing_images')
    .select(['url', 'thumb'])
    .where('listing_id', '=', id)
    .executeTakeFirstOrThrow()
  return { agent, visitor, id: id as string, url, thumb: thumb as string }
}

const get = (url: string, headers: Record<string, string> = {}) => exchange.app.inject({ url, headers })

describe('photos of a suspended listing', () => {
  it('are not served in any size while it is suspended, regardless of caches, and are served again afterwards', async () => {
    const { id, url, thumb } = await listingWithPhoto()
    const { statusCode, headers } = await get(url)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=3600')
    const known = { 'if-none-match': String(headers.etag) }
    const again = await get(url, known)
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
      304,
      '',
      'public, max-age=3600',
    ])

    await exchange.setStatus(id, 'suspended')
    for (const hidden of [await get(url), await get(thumb), await get(url, known)]) {
      expect(hidden.statusCode).toBe(404)
      expect(hidden.headers['cache-control'] ?? '').not.toContain('max-age')
    }
    await exchange.setStatus(id, 'draft')
    expect((await get(url)).statusCode).toBe(200)
  })

  it('stay public if another listing that is not suspended shows them', async () => {
    const { agent, id, url } = await listingWithPhoto()
    const copy = await exchange.listing(agent)
    await sql`insert into listing_images select (i).* from (
      select jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'listing_id', ${copy.id}::text)) as i
      from listing_images i where i.listing_id = ${id}) copied`.execute(exchange.db)
    await exchange.setStatus(id, 'suspended')
    expect((await get(url)).statusCode).toBe(200)
    await exchange.setStatus(copy.id, 'suspended')
    expect((await get(url)).statusCode).toBe(404)
  })

  it('are found with an index, however many agents and listings there are', async () => {
    const plan = await exchange.db.transaction().execute(async tx => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<Record<string, string>>`
        explain select l.status from upload_uses u join listings l on l.id = u.listing_id
        where u.listing_id is not null and u.id = upload_id('0123456789abcdef0123456789abcdef.webp')`.execute(
        tx,
      )
    })
    const text = plan.rows.map(row => Object.values(row)[0]).join('\n')
    expect(text).toContain('listing_images_upload')
    expect(text).not.toContain('Seq Scan')
  })
})

describe('the AVIF of a photo', () => {
  it('is drawn after the upload; until then the WebP stands in, not for long in caches', async () => {
    const { id, url, thumb } = await listingWithPhoto(1_600)
    const [medium, small] = [url.replace('-full.webp', '-medium.avif'), thumb.replace('.webp', '.avif')]
    const before = await get(medium)
    expect(before.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=300',
    })
    const upload = url.slice('/media/'.length, '/media/'.length + 32)
    const { rows } =
      await sql`select * from graphile_worker.jobs where task_identifier = ${VARIANTS_TASK}`.execute(
        exchange.db,
      )
    expect(rows.length).toBeGreaterThan(0)

    const counted = () =>
      exchange.db.selectFrom('uploads').select('bytes').where('id', '=', upload).executeTakeFirstOrThrow()
    const { bytes: withoutAvif } = await counted()
    // Twice, as a job that is repeated.
    for (let i = 0; i < 2; i++) await drawVariants(exchange.db, exchange.files, { id: upload })
    const drawn = [await get(medium), await get(small)]
    const sizes = []
    for (const { headers, rawPayload } of drawn) {
      expect(headers).toMatchObject({ 'content-type': 'image/avif', 'cache-control': 'public, max-age=3600' })
      expect(headers.etag).not.toBe(before.headers.etag)
      const { format, compression, width } = await sharp(rawPayload).metadata()
      sizes.push([format, compression, width])
    }
    expect(sizes).toEqual([
      ['heif', 'av1', 1_280],
      ['heif', 'av1', 640],
    ])
    expect((await counted()).bytes).toBe(
      withoutAvif + drawn.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0),
    )

    await exchange.setStatus(id, 'suspended')
    for (const hidden of [medium, small]) expect((await get(hidden)).statusCode).toBe(404)
  })

  it('is offered by the page with its sizes, and removed with the photo', async () => {
    const { id, url, visitor } = await listingWithPhoto()
    await exchange.setStatus(id, 'published')
    const upload = url.slice('/media/'.length, '/media/'.length + 32)
    await drawVariants(exchange.db, exchange.files, { id: upload })
    const { slug } = await exchange.db
      .selectFrom('listings')
      .select('slug')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { html } = await visit(exchange, `/propiedades/${slug}`)
    expect(html).toContain(
      `<source type="image/avif" srcset="/media/${upload}-thumb.avif 640w, /media/${upload}-medium.avif 1280w"`,
    )
    expect(htmlFaults(html)).toEqual([])
    expect((await visit(exchange, '/propiedades')).html).toContain(`srcset="/media/${upload}-thumb.avif"`)

    const { id: image } = await exchange.db
      .selectFrom('listing_images')
      .select('id')
      .where('listing_id', '=', id)
      .executeTakeFirstOrThrow()
    await visitor.submit(`/portal/listings/${id}/photos/arrange`, { remove: image })
    expect(await exchange.files.exists('media', `${upload}-medium.avif`)).toBe(false)
  })
})
