import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()

async function listingWithPhoto() {
  const { agent, visitor } = await signedInAgent(exchange)
  const { id } = await exchange.listing(agent)
  const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#c63' } })
    .jpeg()
    .toBuffer()
  await visitor.open(`/portal/listings/${id}/photos`)
  await visitor.submit(`/portal/listings/${id}/photos`, {}, [{ field: 'photos', name: 'a.jpg', bytes }])
  const { url, thumb } = await exchange.db
    .selectFrom('listing_images')
    .select(['url', 'thumb'])
    .where('listing_id', '=', id)
    .executeTakeFirstOrThrow()
  return { agent, id: id as string, url, thumb: thumb as string }
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
