import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { type FileToSend, multipart, signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const drawing = (width = 800, height = 600, background = '#c63') =>
  sharp({ create: { width, height, channels: 3, background } })

const photo = async (name = 'casa.jpg', background = '#c63'): Promise<FileToSend> => ({
  field: 'photos',
  name,
  bytes: await drawing(800, 600, background).jpeg().toBuffer(),
})

const open = async () => {
  const { agent, visitor } = await signedInAgent(exchange)
  const { id } = await exchange.listing(agent)
  const path = `/portal/listings/${id}/photos`
  await visitor.open(path)
  return { agent, visitor, id, path }
}

const imagesOf = (id: string) =>
  exchange.db
    .selectFrom('listing_images')
    .select(['id', 'kind', 'url', 'thumb', 'alt'])
    .where('listing_id', '=', id)
    .orderBy('position')
    .execute()

const download = async (path: string) => exchange.app.inject({ url: path })

/** Three different photos, in this order. */
const upload = async (visitor: Visitor, path: string, id: string) => {
  await visitor.submit(path, {}, [
    await photo('a.jpg', '#a00'),
    await photo('b.jpg', '#0a0'),
    await photo('c.jpg', '#00a'),
  ])
  return imagesOf(id)
}

/** The first bytes of an iPhone file, and then nothing readable. */
const HEIC = Buffer.concat([
  Buffer.from('0000002466747970686569630000000068656963', 'hex'),
  Buffer.from('mif1miafMiHBheic'),
  Buffer.alloc(2_000, 7),
])

describe('an uploaded photo', () => {
  it('is re-encoded: no camera, no location, nothing of the original file', async () => {
    const { visitor, id, path } = await open()
    const secret = 'GPS 20.6911 -103.3782'
    const bytes = await drawing()
      .withExif({ IFD0: { Copyright: secret, Make: 'Cámara' }, IFD3: { GPSLatitude: '20/1 41/1 28/1' } })
      .jpeg()
      .toBuffer()
    expect(bytes.includes('GPS 20.6911')).toBe(true)
    await visitor.submit(path, {}, [{ field: 'photos', name: '../../casa.jpg', bytes }])
    const [image] = await imagesOf(id)
    expect(image).toMatchObject({ kind: 'upload', alt: null })
    expect(image?.url).toMatch(/^\/media\/[0-9a-f]{32}-full\.webp$/)
    const served = await download(image?.url as string)
    expect(served.statusCode).toBe(200)
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    })
    const { format, width, exif, xmp } = await sharp(served.rawPayload).metadata()
    expect({ format, width, exif, xmp }).toEqual({
      format: 'webp',
      width: 800,
      exif: undefined,
      xmp: undefined,
    })
    expect(served.rawPayload.includes('GPS 20')).toBe(false)
  })

  it('is also a JPEG of the size that other apps preview, without what the file hid', async () => {
    const { visitor, id, path } = await open()
    const bytes = await drawing(1_600, 1_200).jpeg().toBuffer()
    await visitor.submit(path, {}, [{ field: 'photos', name: 'casa.jpg', bytes }])
    const [image] = await imagesOf(id)
    const url = `${image?.url}`.replace('.webp', '.jpg')
    for (const served of [await download(url), await download(url)]) {
      expect(served.headers['content-type']).toBe('image/jpeg')
      const { format, width, height } = await sharp(served.rawPayload).metadata()
      expect([format, width, height]).toEqual(['jpeg', 1_200, 630])
    }
    expect((await download(`/media/${'0'.repeat(32)}-full.jpg`)).statusCode).toBe(404)
  })

  it('is upright, at most 2,048 on its longer side, with a thumbnail of at most 640', async () => {
    const { visitor, id, path } = await open()
    const bytes = await drawing(3_000, 1_500).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    await visitor.submit(path, {}, [{ field: 'photos', name: 'large.jpg', bytes }])
    const [image] = await imagesOf(id)
    const size = async (url: string) => {
      const { width, height } = await sharp((await download(url)).rawPayload).metadata()
      return [width, height]
    }
    expect(await size(image?.url as string)).toEqual([1_024, 2_048])
    expect(await size(image?.thumb as string)).toEqual([320, 640])
  })

  it.each(['jpeg', 'png', 'webp'] as const)('can be %s', async format => {
    const { visitor, id, path } = await open()
    const bytes = await drawing(40, 30).toFormat(format).toBuffer()
    await visitor.submit(path, {}, [{ field: 'photos', name: `casa.${format}`, bytes }])
    expect(await imagesOf(id)).toHaveLength(1)
  })

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'a drawing with code',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'),
    ],
    ['half a picture', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['a small picture that claims to be enormous', hugePng()],
  ])('is rejected by name if it is %s, and the others are kept', async (_what, bytes) => {
    const { visitor, id, path } = await open()
    await visitor.submit(path, {}, [await photo(), { field: 'photos', name: 'mala<b>.jpg', bytes }])
    expect(visitor.text).toContain('No pudimos leer «mala<b>.jpg»')
    expect(visitor.html).not.toContain('mala<b>')
    expect(await imagesOf(id)).toHaveLength(1)
  })

  it.each([
    ['es', 'Configuración → Cámara → Formatos → Más compatible'],
    ['en', 'Settings → Camera → Formats → Most Compatible'],
  ])('is rejected as HEIC with an explanation, %s', async (lang, advice) => {
    const { visitor, id, path } = await open()
    await visitor.submit('/portal/preferences', { lang })
    await visitor.submit(path, {}, [{ field: 'photos', name: 'IMG_0042.HEIC', bytes: HEIC }])
    expect(visitor.text).toContain(`«IMG_0042.HEIC»`)
    expect(visitor.text).toContain(advice)
    expect(visitor.html).toContain('data-heic=')
    expect(await imagesOf(id)).toEqual([])
  })

  it('is rejected above 15 MB', async () => {
    const { visitor, id, path } = await open()
    const bytes = Buffer.alloc(15 * 1024 * 1024 + 1, 1)
    await visitor.submit(path, {}, [{ field: 'photos', name: 'enorme.jpg', bytes }])
    expect(visitor.status).toBe(413)
    expect(visitor.text).toContain('15 MB')
    expect(await imagesOf(id)).toEqual([])
  })

  it('is not read without the token of the form', async () => {
    const { visitor, id, path } = await open()
    await visitor.request('POST', path, multipart([['_token', 'wrong']], [await photo()]))
    expect(visitor.status).toBe(403)
    expect(await imagesOf(id)).toEqual([])
  })

  it('gets a short response if a script uploads one by one, with the reason when there are too many', async () => {
    const { agent, visitor, id, path } = await open()
    const send = (file: FileToSend) => {
      const { payload, headers } = multipart([['_token', visitor.token]], [file])
      return visitor.request('POST', path, { payload, headers: { ...headers, accept: 'application/json' } })
    }
    const { token } = visitor
    expect(token).not.toBe('')
    await send(await photo())
    expect([visitor.status, JSON.parse(visitor.html)]).toEqual([200, { added: 1, refused: [], heic: false }])
    await visitor.open(path)
    await send({ field: 'photos', name: 'x.jpg', bytes: Buffer.from('no picture') })
    expect([visitor.status, JSON.parse(visitor.html)]).toEqual([
      422,
      { added: 0, refused: ['x.jpg'], heic: false },
    ])
    await visitor.open(path)
    await send({ field: 'photos', name: 'IMG_1.heic', bytes: HEIC })
    expect(JSON.parse(visitor.html)).toEqual({ added: 0, refused: ['IMG_1.heic'], heic: true })
    for (let i = 0; i < 199; i += 50) {
      const urls = Array.from({ length: Math.min(50, 199 - i) }, (_, n) => `https://img.example/${i + n}.jpg`)
      await exchange.post(`/properties/${id}/images`, agent.key, { urls })
    }
    await visitor.open(path)
    await send(await photo('otra.jpg', '#123'))
    const { added, message } = JSON.parse(visitor.html)
    expect([visitor.status, added, message]).toEqual([422, 0, expect.stringContaining('200')])
  })

  it('that is sent again, twice in a form or by a form that got no answer, is added once', async () => {
    const { visitor, id, path } = await open()
    await visitor.submit(path, {}, [await photo('a.jpg', '#a00'), await photo('b.jpg', '#a00')])
    expect(visitor.text).toContain('Fotos nuevas: 1. Ya estaban: 1.')
    const before = await imagesOf(id)
    await visitor.submit(path, {}, [await photo('a.jpg', '#a00'), await photo('c.jpg', '#00a')])
    expect(visitor.text).toContain('Fotos nuevas: 1. Ya estaban: 1.')
    const after = await imagesOf(id)
    expect(after.map(({ id }) => id)).toEqual([before[0]?.id, expect.any(String)])
    await visitor.submit(`${path}/arrange`, { remove: after[0]?.id ?? '' })
    await visitor.submit(path, {}, [await photo('a.jpg', '#a00')])
    expect(await imagesOf(id)).toHaveLength(2)
  })

  it('that arrives several times at once is added once', async () => {
    const { visitor, id, path } = await open()
    const form = multipart([['_token', visitor.token]], [await photo()])
    await Promise.all(Array.from({ length: 5 }, () => visitor.request('POST', path, form)))
    expect(visitor.status).toBe(303)
    expect(await imagesOf(id)).toHaveLength(1)
  })

  it('of a published listing creates an update event, and the API shows its full URL', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    await visitor.open(`/portal/listings/${id}/photos`)
    await visitor.submit(`/portal/listings/${id}/photos`, {}, [await photo()])
    expect((await exchange.events(id)).map(({ event }) => event)).toEqual([
      'listing.published',
      'listing.updated',
    ])
    const [image] = await imagesOf(id)
    const record = (await exchange.get(`/properties/${id}`, agent.key)).body
    expect(record.images).toEqual([
      { id: image?.id, url: `${PUBLIC_URL}${image?.url}`, thumb: `${PUBLIC_URL}${image?.thumb}` },
    ])
  })

  it('stays one photo when a client sends its record back', async () => {
    const { agent, visitor, id, path } = await open()
    await visitor.submit(path, {}, [await photo()])
    const record = (await exchange.get(`/properties/${id}`, agent.key)).body
    const images = record.images.map((image: { url: string }) => image.url)
    const answer = await exchange.put(`/properties/${id}`, agent.key, { images })
    expect(answer.body.images).toEqual(record.images)
    expect(await imagesOf(id)).toHaveLength(1)
  })
})

describe('the photos of a listing', () => {
  it.each([
    ['move', (ids: string[]) => `${ids[2]} up`, [0, 2, 1]],
    ['move', (ids: string[]) => `${ids[0]} down`, [1, 0, 2]],
    ['move', (ids: string[]) => `${ids[0]} up`, [0, 1, 2]],
    ['cover', (ids: string[]) => `${ids[2]}`, [2, 0, 1]],
    ['remove', (ids: string[]) => `${ids[1]}`, [0, 2]],
  ] as const)('%s by a button changes their order (case %#)', async (name, value, order) => {
    const { visitor, id, path } = await open()
    const before = await upload(visitor, path, id)
    const ids = before.map(image => image.id)
    await visitor.submit(`${path}/arrange`, { [name]: value(ids) })
    expect((await imagesOf(id)).map(image => image.id)).toEqual(order.map(i => ids[i]))
  })

  it('take the order and the alt texts that a script sends', async () => {
    const { visitor, id, path } = await open()
    const ids = (await upload(visitor, path, id)).map(image => image.id)
    const [a = '', b = '', c = ''] = ids
    await visitor.submit(`${path}/arrange`, { photo: [c, a, b], [`alt-${b}`]: ' Cocina con isla "<b>" ' })
    expect((await imagesOf(id)).map(({ id: one, alt }) => [one, alt])).toEqual([
      [c, null],
      [a, null],
      [b, 'Cocina con isla "<b>"'],
    ])
    expect(visitor.html).not.toContain('isla "<b>')
  })

  it('lose their files when they are removed', async () => {
    const { visitor, id, path } = await open()
    const [image] = await upload(visitor, path, id)
    await visitor.submit(`${path}/arrange`, { remove: image?.id as string })
    expect((await download(image?.url as string)).statusCode).toBe(404)
    expect((await download(image?.thumb as string)).statusCode).toBe(404)
  })

  it('ignore the id of another listing’s photo', async () => {
    const { visitor, id, path } = await open()
    const other = await open()
    const theirs = await upload(other.visitor, other.path, other.id)
    const mine = await upload(visitor, path, id)
    await visitor.submit(`${path}/arrange`, {
      remove: theirs[0]?.id as string,
      cover: theirs[1]?.id as string,
    })
    expect(await imagesOf(id)).toEqual(mine)
    expect(await imagesOf(other.id)).toEqual(theirs)
    expect((await download(theirs[0]?.url as string)).statusCode).toBe(200)
  })

  it('can be linked by URL', async () => {
    const { visitor, id, path } = await open()
    await visitor.submit(`${path}/links`, { urls: 'https://a.example/1.jpg\n\n https://a.example/2.jpg ' })
    expect((await imagesOf(id)).map(({ kind, url }) => [kind, url])).toEqual([
      ['url', 'https://a.example/1.jpg'],
      ['url', 'https://a.example/2.jpg'],
    ])
  })

  it('names the URL that cannot be linked, and links none', async () => {
    const { visitor, id, path } = await open()
    await visitor.submit(`${path}/links`, { urls: 'https://a.example/1.jpg\nhttp://localhost/2.jpg' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('2: no es una dirección pública')
    expect(await imagesOf(id)).toEqual([])
  })
})

/** A valid header that declares 60,000 by 60,000 pixels. */
function hugePng(): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(60_000, 0)
  size.writeUInt32BE(60_000, 4)
  return Buffer.concat([head, size, Buffer.from('0802000000', 'hex'), Buffer.alloc(40)])
}
