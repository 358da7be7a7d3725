import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { quoteOf } from '../support/issues.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const photo = (name: string | number) => `https://photos.example/${name}.jpg`
const photos = (count: number, from = 0) => Array.from({ length: count }, (_, i) => photo(from + i))
const add = (id: string, urls: unknown, key = agent.key) =>
  exchange.post(`/properties/${id}/images`, key, { urls })
const put = (id: string, images: unknown) => exchange.put(`/properties/${id}`, agent.key, { images })
const read = async (id: string) => (await exchange.get(`/properties/${id}`, agent.key)).body
const urlsOf = (images: { url: string }[]) => images.map(image => image.url)

/** What an agent uploads in the portal; the API only ever links. */
async function upload(listingId: string, position: number, name: string) {
  await exchange.db
    .insertInto('listing_images')
    .values({
      listing_id: listingId,
      kind: 'upload',
      url: photo(name),
      thumb: photo(`${name}-thumb`),
      position,
    })
    .execute()
}

const NOT_PUBLIC = 'must be a public http or https URL of at most 2048 characters'
const REFUSED_URLS: unknown[] = [
  '',
  'photo.jpg',
  '//photos.example/1.jpg',
  'ftp://photos.example/1.jpg',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'https://',
  'https:///1.jpg',
  'https://photos/1.jpg',
  'http://localhost/1.jpg',
  'http://localhost./1.jpg',
  'http://a.localhost/1.jpg',
  'http://printer.local/1.jpg',
  'http://metadata.google.internal/1.jpg',
  'http://127.0.0.1/1.jpg',
  'http://2130706433/1.jpg',
  'http://0x7f.1/1.jpg',
  'http://0.0.0.0/1.jpg',
  'http://10.1.2.3/1.jpg',
  'http://172.16.0.1/1.jpg',
  'http://192.168.1.1:8080/1.jpg',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/1.jpg',
  'http://[::1]/1.jpg',
  'http://[::ffff:127.0.0.1]/1.jpg',
  'http://[fe80::1]/1.jpg',
  'http://[fd00::1]/1.jpg',
  'https://user:secret@photos.example/1.jpg',
  'https://user@photos.example/1.jpg',
  'https://photos.example/a b.jpg',
  'https://photos.example/a\nb.jpg',
  'https://photos.example/a\u0000b.jpg',
  'https://photos.example/\ud83c.jpg',
  'https:\\\\photos.example\\1.jpg',
  `https://photos.example/${'x'.repeat(2049 - 23)}`,
  7,
  null,
  ['https://photos.example/1.jpg'],
  { url: 'https://photos.example/1.jpg' },
]
const ACCEPTED_URLS = [
  'http://photos.example/1.jpg',
  'https://photos.example',
  'HTTPS://photos.example:8443/1.jpg?w=1200&sig=%2Fa#top',
  'https://fotografías.example/añejo.jpg',
  'https://8.8.8.8/1.jpg',
  'http://[2606:4700::1111]/1.jpg',
  `https://photos.example/${'x'.repeat(2048 - 23)}`,
]
const shown = (value: unknown) => JSON.stringify(value).slice(0, 60)

describe('POST /properties/{id}/images', () => {
  describe('200', () => {
    it('answers the full list in the order given, the first as the cover', async () => {
      const before = await exchange.listing(agent)
      const { status, body } = await add(before.id, [photo('b'), photo('a')])
      expect(status).toBe(200)
      const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
      expect(body).toEqual({
        media: [
          { id: uuid, url: photo('b'), thumb: photo('b'), position: 0, cover: true },
          { id: uuid, url: photo('a'), thumb: photo('a'), position: 1, cover: false },
        ],
      })
      const after = await read(before.id)
      expect(after.images).toEqual([
        { id: body.media[0].id, url: photo('b'), thumb: photo('b') },
        { id: body.media[1].id, url: photo('a'), thumb: photo('a') },
      ])
      expect(after.updated_at > before.updated_at).toBe(true)
      expect(await exchange.events(before.id)).toEqual([])
    })

    it('adds after those that are there and leaves the cover and their ids alone', async () => {
      const { id, slug } = await exchange.listing(agent, { images: [photo(1)] })
      const first = (await add(id, [photo(2)])).body.media
      const second = (await add(slug, [photo(3)])).body.media
      expect(urlsOf(second)).toEqual(photos(3, 1))
      expect(second.slice(0, 2)).toEqual(first)
    })

    it('takes each address once, at its first place, so that a retry changes nothing', async () => {
      const { id } = await exchange.listing(agent)
      const urls = [photo(1), photo(2), photo(1), ` ${photo(2)} `]
      expect(urlsOf((await add(id, urls)).body.media)).toEqual([photo(1), photo(2)])
      const before = await read(id)
      expect((await add(id, [photo(2), photo(1)])).status).toBe(200)
      expect(await read(id)).toEqual(before)
    })

    it('takes sixty in one call', async () => {
      const { id } = await exchange.listing(agent)
      expect(urlsOf((await add(id, photos(60))).body.media)).toEqual(photos(60))
    })

    it.each(ACCEPTED_URLS.map(url => [shown(url), url]))(
      'links %s exactly as written',
      async (_shown, url) => {
        const { id } = await exchange.listing(agent)
        const { status, body } = await add(id, [url])
        expect([status, body.media?.[0].url]).toEqual([200, url])
      },
    )

    it('keeps the images of ten simultaneous calls', async () => {
      const { id } = await exchange.listing(agent)
      const answers = await Promise.all(photos(10).map(url => add(id, [url])))
      expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(200))
      expect(urlsOf((await read(id)).images).sort()).toEqual(photos(10).sort())
    })

    it.each(['published', 'withdrawn', 'sold'])(
      'adds to a %s listing without changing its status',
      async status => {
        const { id } = await exchange.listing(agent)
        await exchange.setStatus(id, status)
        await add(id, [photo(1)])
        expect(await read(id)).toMatchObject({ status, images: [{ url: photo(1) }] })
      },
    )
  })

  describe('401, 403, 404', () => {
    it('forbids another agent’s listing, before it looks at the body, and a read-only key', async () => {
      const { id } = await exchange.published(await exchange.agent())
      expect(await add(id, 'nonsense')).toMatchObject({ status: 403, body: { error: 'forbidden' } })
      const own = await exchange.listing(agent)
      expect((await add(own.id, [photo(1)], await exchange.key(agent.email, 'read'))).status).toBe(403)
      const withoutKey = await exchange.post(`/properties/${own.id}/images`, undefined, { urls: [photo(1)] })
      expect(withoutKey.status).toBe(401)
      expect((await read(own.id)).images).toEqual([])
    })

    it('finds nothing at an id that does not exist, before it looks at the body', async () => {
      expect((await add(randomUUID(), [])).status).toBe(404)
    })
  })

  describe('422', () => {
    it.each([
      ['an empty list', { urls: [] }, 'urls must not be empty'],
      ['no list', { urls: photo(1) }, `urls must be a list${quoteOf(photo(1))}`],
      ['an object', { urls: { 0: photo(1) } }, 'urls must be a list'],
      ['null', { urls: null }, 'urls cannot be null'],
      ['no urls', { images: [photo(1)] }, 'urls is required'],
      ['sixty-one', { urls: photos(61) }, 'urls must have at most 60 items, 61 were sent'],
      [
        'sixty-one times the same',
        { urls: Array(61).fill(photo(1)) },
        'urls must have at most 60 items, 61 were sent',
      ],
      ['a body that is a list', [photo(1)], 'body must be a JSON object'],
    ])('refuses %s and adds nothing', async (_what, body, error) => {
      const before = await exchange.listing(agent)
      const answer = await exchange.post(`/properties/${before.id}/images`, agent.key, body)
      expect([answer.status, answer.body.errors]).toEqual([422, [error]])
      expect(await read(before.id)).toEqual(before)
    })

    it.each(REFUSED_URLS.map(url => [shown(url), url] as const))(
      'refuses %s among good ones, naming its place, and adds none',
      async (_shown, url) => {
        const before = await exchange.listing(agent)
        const { status, body } = await add(before.id, [photo(1), url, photo(2)])
        expect([status, body.errors]).toEqual([422, [`urls[1] ${NOT_PUBLIC}${quoteOf(url)}`]])
        expect(await read(before.id)).toEqual(before)
      },
    )

    it('refuses the two hundred and first image of a listing', async () => {
      const { id } = await exchange.listing(agent, { images: photos(60) })
      for (const from of [60, 120]) await add(id, photos(60, from))
      expect((await add(id, photos(20, 180))).status).toBe(200)
      const { status, body } = await add(id, [photo(0), photo(200)])
      expect([status, body.errors]).toEqual([
        422,
        ['images must be at most 200 on one listing, 201 would be'],
      ])
      expect((await add(id, [photo(0), photo(199)])).status).toBe(200)
      expect((await read(id)).images).toHaveLength(200)
    })
  })
})

describe('images on create', () => {
  it('links them in order, each once', async () => {
    const { images } = await exchange.listing(agent, { images: [photo(2), photo(1), photo(2)] })
    expect(images).toEqual([photo(2), photo(1)].map(url => ({ id: expect.any(String), url, thumb: url })))
  })

  it.each([
    ['sixty-one', photos(61), 'images must have at most 60 items, 61 were sent'],
    [
      'one that is not public',
      [photo(1), 'http://10.0.0.1/x'],
      `images[1] ${NOT_PUBLIC} (sent: "http://10.0.0.1/x")`,
    ],
    ['no list', photo(1), `images must be a list${quoteOf(photo(1))}`],
  ])('refuses %s', async (_what, images, error) => {
    const { status, body } = await exchange.post('/properties', agent.key, { ...HOUSE, images })
    expect([status, body.errors]).toEqual([422, [error]])
  })
})

describe('images on PUT', () => {
  it('replaces the list, keeping the ids of those that stay', async () => {
    const before = await exchange.listing(agent)
    const [, kept] = (await add(before.id, photos(3))).body.media
    const { status, body } = await put(before.id, [photo(9), photo(1)])
    expect(status).toBe(200)
    expect(urlsOf(body.images)).toEqual([photo(9), photo(1)])
    expect((await add(before.id, [photo(1)])).body.media[1]).toMatchObject({ id: kept.id, position: 1 })
  })

  it('reorders them, and moves updated_at only when something changed', async () => {
    const before = await exchange.listing(agent, { images: photos(3) })
    const same = await put(before.id, photos(3))
    expect(same.body.updated_at).toBe(before.updated_at)
    const reversed = await put(before.id, photos(3).reverse())
    expect(urlsOf(reversed.body.images)).toEqual(photos(3).reverse())
    expect(reversed.body.updated_at > before.updated_at).toBe(true)
  })

  it.each([[[]], [null]])('%j removes them all', async images => {
    const { id } = await exchange.listing(agent, { images: photos(2) })
    expect((await put(id, images)).body.images).toEqual([])
  })

  it('leaves them alone when it does not name them', async () => {
    const { id } = await exchange.listing(agent, { images: photos(2) })
    const { body } = await exchange.put(`/properties/${id}`, agent.key, { bedrooms: 2 })
    expect(urlsOf(body.images)).toEqual(photos(2))
  })

  it('keeps what was uploaded in the portal: as the cover if it was the cover, else behind the new list', async () => {
    const covered = await exchange.listing(agent)
    await upload(covered.id, 0, 'uploaded')
    await add(covered.id, [photo(1)])
    expect((await put(covered.id, [photo(2)])).body.images).toEqual([
      { id: expect.any(String), url: photo('uploaded'), thumb: photo('uploaded-thumb') },
      { id: expect.any(String), url: photo(2), thumb: photo(2) },
    ])
    expect(urlsOf((await put(covered.id, [])).body.images)).toEqual([photo('uploaded')])

    const behind = await exchange.listing(agent, { images: [photo(1)] })
    await upload(behind.id, 1, 'uploaded')
    expect(urlsOf((await put(behind.id, [photo(2)])).body.images)).toEqual([photo(2), photo('uploaded')])
  })

  it('refuses more than sixty and leaves the old ones', async () => {
    const { id } = await exchange.listing(agent, { images: photos(2) })
    const { status, body } = await put(id, photos(61))
    expect([status, body.errors]).toEqual([422, ['images must have at most 60 items, 61 were sent']])
    expect(urlsOf((await read(id)).images)).toEqual(photos(2))
  })
})

describe('PUT /properties/{id}/images', () => {
  const order = (id: string, ids: unknown, headers: Record<string, string> = {}) =>
    exchange.put(`/properties/${id}/images`, agent.key, { order: ids }, { headers })
  const idsOf = (images: { id: string }[]) => images.map(image => image.id)

  it('puts them in that order, those it does not name behind, and sends no event', async () => {
    const before = await exchange.published(agent, { images: photos(4) })
    const [a, b, c, d] = idsOf(before.images)
    const { status, body, headers } = await order(before.id, [c, String(a).toUpperCase()])
    expect(status).toBe(200)
    expect(idsOf(body.media)).toEqual([c, a, b, d])
    const after = await read(before.id)
    expect(idsOf(after.images)).toEqual([c, a, b, d])
    expect(headers.etag).toBe(`"${after.version}"`)
    expect(await exchange.events(before.id)).toHaveLength(1)
  })

  it('changes nothing when it is the order they have', async () => {
    const before = await exchange.listing(agent, { images: photos(2) })
    await order(before.id, idsOf(before.images))
    await order(before.id, [])
    expect(await read(before.id)).toEqual(before)
  })

  it('refuses ids of other images, and one twice, and changes nothing', async () => {
    const before = await exchange.listing(agent, { images: photos(2) })
    const other = await exchange.listing(agent, { images: photos(1) })
    const [a] = idsOf(before.images)
    const { status, body } = await order(before.id, [a, ...idsOf(other.images), a, '\u0000', 7])
    expect(status).toBe(422)
    expect(body.details.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [4, 'not_text'],
      [1, 'unknown_image'],
      [2, 'repeated'],
      [3, 'unknown_image'],
    ])
    const missing = await exchange.put(`/properties/${before.id}/images?lang=es`, agent.key, {})
    expect(missing.body.errors).toEqual(['order es obligatorio'])
    expect(await read(before.id)).toEqual(before)
  })

  it('is for the agent’s own listing, and for the version If-Match names', async () => {
    const foreign = await exchange.listing(await exchange.agent(), { images: photos(1) })
    expect((await order(foreign.id, [])).status).toBe(403)
    const { id, version } = await exchange.listing(agent, { images: photos(2) })
    await add(id, [photo('new')])
    const late = await order(id, [], { 'if-match': `"${version}"` })
    expect([late.status, late.headers.etag]).toEqual([412, `"${(await read(id)).version}"`])
  })
})

describe('DELETE /properties/{id}/images/{image_id}', () => {
  const remove = (id: string, imageId: string, headers: Record<string, string> = {}) =>
    exchange.delete(`/properties/${id}/images/${imageId}`, agent.key, { headers })

  it('removes that one; the next becomes the cover; no event', async () => {
    const before = await exchange.published(agent, { images: photos(3) })
    const { status, body } = await remove(before.id, before.images[0].id)
    expect([status, urlsOf(body.media), body.media[0].cover]).toEqual([200, photos(2, 1), true])
    expect((await read(before.id)).images).toEqual(before.images.slice(1))
    expect(await exchange.events(before.id)).toHaveLength(1)
  })

  it('answers 404 the second time, and for what is no image of this listing', async () => {
    const { id, images } = await exchange.listing(agent, { images: photos(1) })
    const other = await exchange.listing(agent, { images: photos(1) })
    expect((await remove(id, images[0].id)).status).toBe(200)
    const strange = [images[0].id, other.images[0].id, randomUUID(), 'x', '%00', '..%2F..', '%E2%80%AE']
    for (const one of strange) expect((await remove(id, one)).status, one).toBe(404)
    expect((await read(other.id)).images).toHaveLength(1)
  })

  it('is for the agent’s own listing, and for the version If-Match names', async () => {
    const foreign = await exchange.listing(await exchange.agent(), { images: photos(1) })
    expect((await remove(foreign.id, foreign.images[0].id)).status).toBe(403)
    const { id, images, version } = await exchange.listing(agent, { images: photos(2) })
    expect((await remove(id, images[0].id, { 'if-match': '"0000000000000000"' })).status).toBe(412)
    expect((await remove(id, images[0].id, { 'if-match': version })).status).toBe(200)
  })
})
