import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock, DAY, DOCUMENT, documentPhoto, SECOND, showing, useClock } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS, type Walker } from '../support/walk.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const walk = useWalk({ ...useClock(), network: loopbackNetwork() })

let folder: string
let photo: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lonja-walk-'))
  photo = join(folder, 'ine.jpg')
  await writeFile(photo, await documentPhoto())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(async () => {
  // An hour later: requests from other walks on this machine no longer count.
  clock.now += 3_600 * SECOND
  await takeMail(walk.exchange)
})

/** An agent with a published listing, a webhook receiver, and the portal open in a browser. */
async function agentWithSystem() {
  const { exchange } = walk
  const agent = await exchange.agent({ password: PASSWORD, phone: '+523312345678' })
  const listing = await exchange.published(agent)
  await exchange.search.refresh()
  const receiver = await new Receiver().listen()
  await subscribe(exchange, agent, receiver.url(), ['lead.created', 'lead.updated'])
  const deliver = async () => {
    const worker = await dispatch(exchange)
    await settled(exchange.db)
    await worker.stop()
    return receiver.received.map(({ body }) => JSON.parse(body.toString()))
  }
  return { agent, listing, path: `/propiedades/${listing.slug}`, receiver, deliver }
}

async function writeTo(walker: Walker, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await walker.page.getByLabel(label).first().fill(value)
}

const mailTo = async (address: string) =>
  (await takeMail(walk.exchange)).filter(mail => mail.to.address === address)

const heading = (walker: Walker) => walker.page.getByRole('heading', { level: 1 }).textContent()

/** From the listing's page to the mail with the private link. */
async function askForShowing(walker: Walker, path: string, email: string): Promise<string> {
  const { date, time } = showing(4, '17:30')
  await walker.open(path)
  await walker.page.getByLabel('Pedir una visita').check()
  await writeTo(walker, { 'Tu nombre': 'Rosa Elena Cárdenas', Correo: email, Día: date })
  await walker.page.getByLabel('Hora').selectOption(time)
  await walker.page.getByRole('checkbox').check()
  clock.now += 5 * SECOND
  await walker.press('Enviar')
  expect(await heading(walker)).toBe('Solo falta que te identifiques')
  const mails = await mailTo(email)
  expect(mails.map(mail => mail.kind)).toEqual(['identify'])
  return linkIn(mails[0])
}

async function identify(walker: Walker, link: string) {
  await walker.open(link)
  await writeTo(walker, {
    'Tu nombre, como está en el documento': DOCUMENT.name,
    'Número del documento': DOCUMENT.number,
  })
  await walker.page.getByLabel('Documento', { exact: true }).selectOption('passport')
  await walker.page.getByLabel('Foto del documento').setInputFiles(photo)
  await walker.press('Enviar identificación')
  expect(await heading(walker)).toBe('Recibimos tu identificación')
}

describe.each(WAYS)('$name', way => {
  const address = (who: string) => `${who}-${way.width}-${way.scripts}@example.com`

  it('an inquiry on a listing reaches the agent’s inbox, mail and system', async () => {
    const { agent, path, receiver, deliver } = await agentWithSystem()
    const visitor = await walk.visit(way)
    await visitor.open(path)
    expect(await visitor.page.getByLabel('Día').isVisible()).toBe(false)
    await writeTo(visitor, {
      'Tu nombre': 'Rosa Elena',
      Teléfono: '33 1234 5678',
      Mensaje: '¿Aceptan perro?',
    })
    clock.now += 5 * SECOND
    await visitor.press('Enviar')
    expect(await visitor.page.getByRole('alert').textContent()).toContain('No pudimos enviarlo')
    expect(await visitor.page.getByLabel('Mensaje').inputValue()).toBe('¿Aceptan perro?')
    await writeTo(visitor, { Correo: address('rosa') })
    await visitor.page.getByRole('checkbox').check()
    await visitor.press('Enviar')
    expect(await heading(visitor)).toBe('Tu mensaje va en camino')

    const mails = await takeMail(walk.exchange)
    expect(mails.map(mail => mail.to.address).sort()).toEqual([agent.email, address('rosa')].sort())
    expect(await deliver()).toMatchObject([
      { event: 'lead.created', data: { name: 'Rosa Elena', phone: '+523312345678', kind: 'info' } },
    ])
    const portal = await walk.visit(way)
    await portal.signIn(agent.email, PASSWORD)
    await portal.open('/portal/leads?view=table')
    await portal.page.getByRole('link', { name: 'Rosa Elena' }).first().click()
    await portal.page.waitForURL(/\/portal\/leads\/[0-9a-f-]{36}$/)
    await portal.check()
    expect(await portal.page.locator('main').textContent()).toContain('¿Aceptan perro?')
    await receiver.close()
  })

  it('a showing reaches the agent’s system once, and only after the visitor is identified', async () => {
    const { agent, path, receiver, deliver } = await agentWithSystem()
    const visitor = await walk.visit(way)
    const link = await askForShowing(visitor, path, address('tour'))
    const portal = await walk.visit(way)
    await portal.signIn(agent.email, PASSWORD)
    await portal.open('/portal/leads?view=table')
    expect(await portal.page.locator('main').textContent()).toContain('Falta identificarse')
    await identify(visitor, link)
    expect(await deliver()).toEqual([])
    expect((await mailTo(agent.email)).map(mail => mail.kind)).toEqual(['identification'])

    await portal.open('/portal/leads?view=table')
    expect(await portal.page.locator('main').textContent()).toContain('Identificación por revisar')
    await portal.page.getByRole('link', { name: 'Rosa Elena Cárdenas' }).first().click()
    await portal.page.waitForURL(/\/portal\/leads\/[0-9a-f-]{36}$/)
    await portal.check()
    const main = portal.page.locator('main')
    expect(await main.textContent()).toContain(DOCUMENT.number)
    const picture = main.getByAltText('Foto del documento')
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(200)
    await main.getByLabel('Estatus de la visita').selectOption('confirmed')
    await portal.press('Guardar')
    expect(await main.textContent()).toContain('cuando aceptes su identificación')
    await portal.press('Aceptar identificación')
    await main.getByLabel('Estatus de la visita').selectOption('confirmed')
    await portal.press('Guardar')
    expect(await main.getByLabel('Visita agendada').inputValue()).toMatch(/T17:30$/)

    expect(await deliver()).toMatchObject([
      { event: 'lead.created', data: { kind: 'tour', id_status: 'verified', email: address('tour') } },
    ])
    expect(receiver.received).toHaveLength(1)
    await visitor.open(link)
    expect(await heading(visitor)).toBe('Ya recibimos tu identificación')
    await receiver.close()
  })

  it('a rejected identification comes back with the reason, and a new link replaces the old one', async () => {
    const { agent, path, receiver, deliver } = await agentWithSystem()
    const visitor = await walk.visit(way, true)
    const link = await askForShowing(visitor, path, address('again'))
    await identify(visitor, link)
    await takeMail(walk.exchange)
    const portal = await walk.visit(way, true)
    await portal.signIn(agent.email, PASSWORD)
    await portal.open('/portal/leads?view=table')
    await portal.page.getByRole('link', { name: 'Rosa Elena Cárdenas' }).first().click()
    await portal.page.waitForURL(/\/portal\/leads\/[0-9a-f-]{36}$/)
    await portal.page.getByLabel('O explica por qué no se acepta').fill('La foto está borrosa')
    await portal.press('Rechazar identificación')
    const [refusal] = await mailTo(address('again'))
    expect(refusal?.text).toContain('La foto está borrosa')
    await portal.press('Enviar otro enlace')
    const fresh = linkIn((await mailTo(address('again')))[0])
    await visitor.open(link)
    expect(await heading(visitor)).toBe('Este enlace ya no funciona')
    clock.now += 8 * DAY
    await visitor.open(fresh)
    expect(await heading(visitor)).toBe('Este enlace ya no funciona')
    clock.now -= 8 * DAY
    await identify(visitor, fresh)
    expect(await deliver()).toEqual([])
    await receiver.close()
  })

  it('an agent’s page, the privacy notice and the operator’s screens pass the same checks', async () => {
    const { agent, path, receiver } = await agentWithSystem()
    const visitor = await walk.visit(way)
    await visitor.open('/privacidad')
    await visitor.open('/en/privacy')
    await visitor.open(`/agentes/${agent.slug}`)
    await writeTo(visitor, { 'Tu nombre': 'Rosa Elena', Teléfono: '33 1234 5678' })
    await visitor.page.getByRole('checkbox').check()
    clock.now += 5 * SECOND
    await visitor.press('Enviar')
    expect(await heading(visitor)).toBe('Tu mensaje va en camino')
    await visitor.open(`${path}/contacto`)
    await identify(visitor, await askForShowing(visitor, path, address('desk')))

    const operator = await walk.exchange.agent({ password: PASSWORD })
    await walk.exchange.db
      .updateTable('agents')
      .set({ is_operator: true })
      .where('id', '=', operator.id)
      .execute()
    const desk = await walk.visit(way)
    await desk.signIn(operator.email, PASSWORD)
    await desk.open('/portal/operator/identifications')
    const leads = await walk.exchange.get('/leads', agent.key)
    await desk.open(`/portal/operator/identifications/${leads.body.content[0].id}`)
    expect(await desk.page.locator('main').textContent()).toContain(DOCUMENT.number)
    await desk.press('Aceptar identificación')
    await receiver.close()
  })
})
