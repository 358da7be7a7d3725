import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { type FileToSend, signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const CLAIM = {
  state: 'Jalisco',
  authority: 'Secretaría de Desarrollo Económico',
  number: 'JAL-AI-2020-0042',
}
const PDF = Buffer.from('%PDF-1.7\nnot much of a document\n%%EOF\n')
const file = (bytes: Buffer, name = 'licencia.pdf'): FileToSend => ({ field: 'document', name, bytes })
const photo = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Copyright: 'somebody in particular' } })
    .jpeg()
    .toBuffer()

async function ask(visitor: Visitor, document = file(PDF), claim: Record<string, string> = CLAIM) {
  await visitor.open('/portal/licence')
  return visitor.submit('/portal/licence', claim, [document])
}

async function operator() {
  const { agent } = await signedInAgent(exchange)
  await setOperator(exchange.db, agent.email, true)
  const visitor = await signedInAgent(exchange)
  await setOperator(exchange.db, visitor.agent.email, true)
  return visitor
}

const unverified = () => signedInAgent(exchange, { verified: false, name: 'Elena Rosas' })
const requestOf = (agentId: string) =>
  exchange.db
    .selectFrom('licence_requests')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()

describe('requesting verification', () => {
  it('stores the request and its document and waits for the operator', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    expect(visitor.text).toContain('En revisión')
    expect(await requestOf(agent.id)).toMatchObject({
      ...CLAIM,
      status: 'pending',
      document_type: 'application/pdf',
    })
  })

  it('takes an AMPI membership or a CONOCER certificate in place of a state license', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor, file(PDF), { kind: 'ampi', state: 'Jalisco', authority: '', number: 'GDL-77' })
    expect((await requestOf(agent.id)).authority).toMatch(/^AMPI/)
  })

  it('names the authority of a state license as missing', async () => {
    const { visitor } = await unverified()
    await ask(visitor, file(PDF), { kind: 'toString', state: 'Jalisco', authority: '', number: 'GDL-77' })
    expect(visitor.status).toBe(422)
  })

  it('is the first of the steps on the home page of a new agent', async () => {
    const { visitor } = await unverified()
    await visitor.open('/portal')
    expect(visitor.text).toContain('0 de 4 listos')
    await ask(visitor)
    await visitor.open('/portal')
    expect(visitor.text).toContain('1 de 4 listos')
  })

  it('explains what to do about a HEIC photo', async () => {
    const { visitor } = await unverified()
    const bytes = Buffer.concat([
      Buffer.from('0000001866747970686569630000000068656963', 'hex'),
      Buffer.alloc(99),
    ])
    await ask(visitor, file(bytes, 'IMG_7.heic'))
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('comparte la foto como JPEG')
  })

  it('re-encodes a photographed license, without the camera’s metadata', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor, file(await photo(), 'foto.jpg'))
    const { id, document_type: type } = await requestOf(agent.id)
    expect(type).toBe('image/webp')
    const desk = await operator()
    const answer = await exchange.app.inject({
      url: `/portal/operator/licences/${id}/document`,
      headers: { cookie: [...desk.visitor.cookies].map(pair => pair.join('=')).join('; ') },
    })
    const metadata = await sharp(answer.rawPayload).metadata()
    expect(metadata.format).toBe('webp')
    expect(metadata.exif).toBeUndefined()
  })

  it.each([
    ['a web page declared as a PDF', Buffer.from('<script>alert(1)</script>')],
    ['a picture followed by a script', Buffer.from('GIF89a<script>alert(1)</script>')],
    ['half a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1])],
  ])('rejects %s', async (_name, bytes) => {
    const { visitor } = await unverified()
    await ask(visitor, file(bytes))
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('Debe ser un PDF, JPEG o PNG que podamos leer')
  })

  it('rejects a document of more than 10 MB', async () => {
    const { visitor } = await unverified()
    await ask(visitor, file(Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)])))
    expect(visitor.status).toBe(413)
    expect(visitor.text).toContain('más de 10 MB')
  })

  it.each([
    [{ state: 'Texas' }, 'Debe ser un estado de México'],
    [{ authority: '' }, 'Debe tener al menos 2 caracteres'],
    [{ number: '1' }, 'Debe tener al menos 2 caracteres'],
  ])('rejects %o and keeps the rest of the input', async (wrong, message) => {
    const { visitor } = await unverified()
    await ask(visitor, file(PDF), { ...CLAIM, ...wrong })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
  })

  it('rejects a second request while one is pending', async () => {
    const { visitor } = await unverified()
    await visitor.open('/portal/licence')
    const page = visitor.html
    await visitor.submit('/portal/licence', CLAIM, [file(PDF)])
    visitor.html = page
    await visitor.submit('/portal/licence', CLAIM, [file(PDF)])
    expect(visitor.status).toBe(422)
  })

  it('reads no file before the form’s token is checked', async () => {
    const { visitor } = await unverified()
    await visitor.open('/portal/licence')
    await visitor.submit('/portal/licence', { ...CLAIM, _token: 'x'.repeat(43) }, [file(PDF)])
    expect(visitor.status).toBe(403)
  })
})

describe('the operator', () => {
  it('verifies: the agent can publish, has the reviewed license, and gets a mail', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await takeMail(exchange)
    await desk.visitor.open('/portal/operator/licences')
    expect(desk.visitor.text).toContain('Elena Rosas')
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    await desk.visitor.submit(`/portal/operator/licences/${id}/verify`)
    expect(desk.visitor.text).toContain('Verificaste a Elena Rosas')
    const me = await exchange.get('/me', agent.key)
    expect(me.body.agent.license).toMatchObject({ number: CLAIM.number, state: 'Jalisco' })
    expect((await takeMail(exchange)).map(mail => mail.subject)).toEqual(['Tu licencia está verificada'])
    expect((await visitor.open('/portal')).text).not.toContain('no está verificada')
  })

  it('rejects with a reason, which the agent gets by mail and on the page, and can request again', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await takeMail(exchange)
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    await desk.visitor.submit(`/portal/operator/licences/${id}/refuse`, {
      reason: 'El <b>número</b> no se lee',
    })
    const [mail] = await takeMail(exchange)
    expect(mail?.to.address).toBe(agent.email)
    expect(mail?.html).toContain('El &lt;b>número&lt;/b> no se lee')
    await visitor.open('/portal/licence')
    expect(visitor.text).toContain('El <b>número</b> no se lee')
    await ask(visitor)
    expect(visitor.text).toContain('En revisión')
  })

  it('must give a reason to reject', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    await desk.visitor.submit(`/portal/operator/licences/${id}/refuse`, { reason: ' ' })
    expect(desk.visitor.status).toBe(422)
    expect((await requestOf(agent.id)).status).toBe('pending')
  })

  it('decides a request once', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    const page = desk.visitor.html
    await desk.visitor.submit(`/portal/operator/licences/${id}/verify`)
    desk.visitor.html = page
    await desk.visitor.submit(`/portal/operator/licences/${id}/refuse`, { reason: 'Changed my mind' })
    expect(desk.visitor.status).toBe(404)
    expect((await requestOf(agent.id)).status).toBe('verified')
  })

  it('assigns the agent to the named agency, and makes its founder its admin', async () => {
    const { agent, visitor } = await unverified()
    await visitor.open('/portal/profile')
    await visitor.submit('/portal/profile', { phone: '33 1234 5678', agency_wanted: 'Casa Nueva' })
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    await desk.visitor.submit(`/portal/operator/licences/${id}/verify`)
    expect((await exchange.get('/me', agent.key)).body.agency.name).toBe('Casa Nueva')
    await visitor.open('/portal/agency')
    await visitor.submit('/portal/agency', {
      about: 'Somos nuevos',
      phone: '',
      website: 'https://casanueva.example',
    })
    expect(visitor.text).toContain('Página guardada')
  })

  it('gets the document as a download that no browser opens', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await desk.visitor.request('GET', `/portal/operator/licences/${id}/document`)
    expect(desk.visitor.status).toBe(200)
    expect(desk.visitor.html).toBe(PDF.toString())
    expect(desk.visitor.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="licencia-${id}.pdf"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    })
  })

  it('sees it in the page, a PDF in a frame that may do nothing, and every view is on record', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id } = await requestOf(agent.id)
    const desk = await operator()
    await desk.visitor.open(`/portal/operator/licences/${id}`)
    expect(desk.visitor.headers['content-security-policy']).toContain("frame-src 'self'")
    const [, preview = ''] = /<iframe src="([^"#]+)/.exec(desk.visitor.html) ?? []
    await desk.visitor.request('GET', preview)
    expect(desk.visitor.html).toBe(PDF.toString())
    expect(desk.visitor.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="licencia-${id}.pdf"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'self'",
      'cache-control': 'no-store',
    })
    const opened = await exchange.db
      .selectFrom('audit_log')
      .select('operator_id')
      .where('action', '=', 'licence.open')
      .where('subject_id', '=', agent.id)
      .execute()
    expect(opened).toEqual([{ operator_id: desk.agent.id }])
    expect((await visitor.request('GET', preview)).status).toBe(404)
  })

  it('is the only one who gets it, not even its agent', async () => {
    const { agent, visitor } = await unverified()
    await ask(visitor)
    const { id, document } = await requestOf(agent.id)
    expect((await visitor.request('GET', `/portal/operator/licences/${id}/document`)).status).toBe(404)
    expect((await visitor.request('GET', `/media/${document}`)).status).toBe(404)
  })
})
