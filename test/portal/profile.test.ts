import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { type FileToSend, signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const picture = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: 'salmon' } })
    .withExif({ IFD0: { Artist: 'Ana at home' } })
    .png()
    .toBuffer()
const photo = (bytes: Buffer): FileToSend => ({ field: 'photo', name: '../../photo.html', bytes })

const rowOf = (id: string) =>
  exchange.db
    .selectFrom('agents')
    .select([
      'name',
      'phone',
      'bio',
      'languages',
      'in_directory',
      'photo',
      'agency_wanted',
      'email',
      'verified_at',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function save(visitor: Visitor, fields: Record<string, string | string[]>) {
  await visitor.open('/portal/profile')
  return visitor.submit('/portal/profile', { phone: '33 1234 5678', ...fields })
}

describe('the profile', () => {
  it('stores what the public will see', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await save(visitor, {
      name: ' Ana  Torres Vega ',
      bio: 'Quince años en Zapopan.',
      languages: ['es', 'nah'],
    })
    expect(visitor.text).toContain('Perfil guardado')
    expect(await rowOf(agent.id)).toMatchObject({
      name: 'Ana Torres Vega',
      phone: '+523312345678',
      bio: 'Quince años en Zapopan.',
      languages: ['es', 'nah'],
      in_directory: true,
    })
  })

  it('ignores fields that agents cannot set', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { verified: false })
    await save(visitor, {
      email: 'other@example.mx',
      verified_at: '2020-01-01',
      is_operator: 'on',
      languages: ['xx'],
    })
    expect(await rowOf(agent.id)).toMatchObject({ email: agent.email, verified_at: null, languages: [] })
  })

  it('with a new name updates the agent’s listings for incremental readers', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const listing = await exchange.published(agent)
    await save(visitor, { name: 'Ana Nueva' })
    const read = await exchange.get(`/properties/${listing.id}`, agent.key)
    expect(read.body.agent.name).toBe('Ana Nueva')
    expect(Date.parse(read.body.updated_at)).toBeGreaterThan(Date.parse(listing.updated_at))
  })

  it.each([
    [{ name: 'A' }, 'Debe tener al menos 3 caracteres'],
    [{ phone: 'none' }, 'Debe ser un teléfono'],
    [{ bio: 'x'.repeat(2001) }, '2000 caracteres como máximo'],
  ])('rejects %o', async (fields, message) => {
    const { visitor } = await signedInAgent(exchange)
    await save(visitor, fields)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
  })
})

describe('the photo', () => {
  async function upload(visitor: Visitor, bytes: Buffer) {
    await visitor.open('/portal/profile')
    return visitor.submit('/portal/profile/photo', {}, [photo(bytes)])
  }

  it('is re-encoded as a square under a random name, and served only as a picture', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await upload(visitor, await picture())
    const { photo: name } = await rowOf(agent.id)
    expect(name).toMatch(/^[0-9a-f]{32}-face\.webp$/)
    const answer = await exchange.app.inject({ url: `/media/${name}` })
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const metadata = await sharp(answer.rawPayload).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width: 480, height: 480 })
    expect(metadata.exif).toBeUndefined()
  })

  it('replaces the previous one, whose file is removed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await upload(visitor, await picture())
    const { photo: first } = await rowOf(agent.id)
    await upload(visitor, await picture(500, 500))
    expect((await exchange.app.inject({ url: `/media/${first}` })).statusCode).toBe(404)
    await visitor.submit('/portal/profile/photo/remove')
    expect((await rowOf(agent.id)).photo).toBeNull()
  })

  it.each([
    [
      'an SVG with a script',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
      ),
    ],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.from('')],
  ])('is never %s', async (_name, bytes) => {
    const { agent, visitor } = await signedInAgent(exchange)
    await upload(visitor, bytes)
    expect(visitor.text).toContain('No pudimos leer la foto')
    expect((await rowOf(agent.id)).photo).toBeNull()
  })

  it.each([
    '../documents/x.pdf',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/x.webp',
    'x.webp',
    `${'a'.repeat(32)}.html`,
  ])('cannot be requested as %s', async name => {
    expect((await exchange.app.inject({ url: `/media/${name}` })).statusCode).toBe(404)
  })
})

describe('the agency page', () => {
  it('cannot be edited by an agent who does not manage it', async () => {
    const { visitor } = await signedInAgent(exchange, { agency: 'Casa Común' })
    await visitor.open('/portal/agency')
    expect(visitor.text).toContain('Casa Común')
    expect(visitor.forms().map(form => form.action)).not.toContain('/portal/agency')
    await visitor.request('POST', '/portal/agency', {
      payload: `_token=${visitor.token}&about=mine`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(visitor.status).toBe(404)
  })
})

describe('home', () => {
  it('counts what needs attention, without other agents’ data', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await exchange.agent()
    await exchange.listing(agent)
    const { id } = await exchange.published(agent)
    await exchange.db
      .updateTable('listings')
      .set({ confirmed_at: new Date(Date.now() - 55 * 86_400_000) })
      .where('id', '=', id)
      .execute()
    for (const key of [agent.key, agent.key, other.key]) await exchange.post('/leads', key, { name: 'Eva' })
    await visitor.open('/portal')
    expect(visitor.text).toContain('2 Prospectos nuevos')
    expect(visitor.text).toContain('1 Por reconfirmar')
    expect(visitor.text).toContain('1 Borradores incompletos')
    expect(visitor.text).toContain('2 en 12 semanas')
  })

  it('says so when nothing is pending', async () => {
    const { visitor } = await signedInAgent(exchange)
    expect(visitor.text).toContain('Todo al día')
  })
})
