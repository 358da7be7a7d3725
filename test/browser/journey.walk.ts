import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { loopbackNetwork, Receiver, until } from '../support/receiver.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS, type Walker, type Way } from '../support/walk.ts'
import { dispatch } from '../support/webhooks.ts'

const walk = useWalk({ network: loopbackNetwork() })
const receiver = new Receiver()
let dispatcher: Running
let folder: string

beforeAll(async () => {
  await receiver.listen()
  dispatcher = await dispatch(walk.exchange)
  folder = await mkdtemp(join(tmpdir(), 'lonja-walk-'))
})
afterAll(async () => {
  await dispatcher?.stop()
  await receiver.close()
  await rm(folder, { recursive: true })
})

const FASTEST_PERSON_MS = 2_500
const TITLE = 'Casa con jardín en Providencia'
const main = ({ page }: Walker) => page.locator('main')

describe.each(WAYS)('$name', way => {
  it('an agent signs up and sells a house, and her site receives every event', async () => {
    const email = `elena-${way.width}-${way.scripts}@example.mx`
    const me = await walk.visit(way)
    await signUp(me, email, way)
    await confirmMail(me, email)
    await sendLicense(me)
    await verifyLicense(email, way)

    const listing = await draftListing(me, way)
    await uploadPhotos(me, listing)
    await publish(me, listing)
    const key = await makeKey(me, way)
    const slug = await readOverHttp(key, listing)
    await me.open(`/propiedades/${slug}`)
    expect(await me.page.locator('h1').textContent()).toBe(TITLE)

    const heard = await addWebhook(me, email, way)
    await takeLead(me, slug, way)
    await until(() => heard('lead.created') === 1 && heard('lead.updated') === 1)

    await me.open(`/portal/listings/${listing}`)
    await me.press('Marcar como vendida')
    await main(me).getByText('¡Felicidades por la venta!').waitFor()
    await until(() => heard('listing.unpublished') === 1)
    expect((await callApi(key, `/properties/${listing}`)).status).toBe('sold')
    await me.context.close()
  })
})

async function signUp(me: Walker, email: string, way: Way): Promise<void> {
  const { page } = me
  await me.open('/portal/sign-up')
  await page.getByLabel('Nombre completo').fill('Elena Pérez Rosas')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Teléfono').fill('33 1234 5678')
  await page.getByLabel('Contraseña').fill(PASSWORD)
  await page.getByLabel('En una inmobiliaria').check()
  await page.getByLabel('Nombre de la inmobiliaria').fill(`Casa ${way.name}`)
  await me.press('Crear cuenta')
  await main(me).getByText('Te enviamos un mensaje').waitFor()
}

/** The link alone is not enough: someone who can read her mail does not know her password. */
async function confirmMail(me: Walker, email: string): Promise<void> {
  const mail = (await takeMail(walk.exchange)).find(({ to }) => to.address === email)
  await me.open(linkIn(mail))
  await me.page.getByLabel('Contraseña').fill('not what I chose')
  await me.press('Confirmar y entrar')
  await main(me).getByText('No es correcta').waitFor()
  await me.page.getByLabel('Contraseña').fill(PASSWORD)
  await me.press('Confirmar y entrar')
}

async function sendLicense(me: Walker): Promise<void> {
  const { page } = me
  const document = join(folder, 'licencia.jpg')
  await sharp({ create: { width: 800, height: 500, channels: 3, background: 'teal' } })
    .jpeg()
    .toFile(document)
  await main(me).getByText('Tu licencia aún no está verificada.').waitFor()
  await page.getByLabel('Estado que la emitió').selectOption('Jalisco')
  await page.getByRole('textbox', { name: 'Autoridad' }).fill('Secretaría de Desarrollo Económico')
  await page.getByLabel('Número de licencia').fill('JAL-1')
  await page.getByLabel('Documento').setInputFiles(document)
  await me.press('Enviar a verificación')
  await main(me).getByText('En revisión').waitFor()
}

async function verifyLicense(email: string, way: Way): Promise<void> {
  const operator = await walk.exchange.agent({ password: PASSWORD, name: 'Olga Operadora' })
  await setOperator(walk.exchange.db, operator.email, true)
  const desk = await walk.visit(way)
  await desk.signIn(operator.email, PASSWORD)
  await desk.open('/portal/operator/licences')
  await desk.follow(email)
  const download = desk.page.waitForEvent('download')
  await main(desk).getByRole('link', { name: 'Descargar documento' }).click()
  expect((await download).suggestedFilename()).toMatch(/^licencia-.*\.webp$/)
  await desk.press('Verificar licencia')
  await main(desk).getByText('Verificaste a').waitFor()
  await desk.context.close()
}

async function draftListing(me: Walker, way: Way): Promise<string> {
  const { page } = me
  await me.open('/portal/listings')
  await me.follow('Nueva propiedad')
  await page.getByLabel('Título', { exact: true }).fill(TITLE)
  await page.getByLabel('Precio de venta').fill('4,500,000')
  await page.getByLabel('Recámaras').fill('3')
  await page.getByLabel('Estado', { exact: true }).selectOption('Jalisco')
  await page.getByLabel('Ciudad', { exact: true }).fill('Guadalajara')
  await page.getByLabel('Latitud').fill('20.6911')
  await page.getByLabel('Longitud').fill('-103.3782')
  if (way.scripts) await page.locator('#preview').getByText('$4,500,000 MXN').waitFor()
  await me.press('Guardar borrador')
  const id = /listings\/([^/]+)\/photos$/.exec(page.url())?.[1]
  if (!id) throw new Error(`no listing at ${page.url()}`)
  return id
}

const photo = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

async function uploadPhotos(me: Walker, listing: string): Promise<void> {
  expect(new URL(me.page.url()).pathname).toBe(`/portal/listings/${listing}/photos`)
  const photos = [await photo('fachada.jpg', '#b5523b'), await photo('cocina.jpg', '#3b7bb5')]
  await me.page.getByLabel('Tus fotos').setInputFiles(photos)
  await me.press('Subir')
  await me.page.locator('#arrange li:nth-child(2)').waitFor()
}

async function publish(me: Walker, listing: string): Promise<void> {
  await me.open(`/portal/listings/${listing}`)
  await me.press('Publicar')
  await main(me).getByText('Publicada: ya está visible en la bolsa.').waitFor()
}

async function makeKey(me: Walker, way: Way): Promise<string> {
  const { page } = me
  await me.open('/portal/keys')
  await page.getByLabel('Nombre', { exact: true }).fill('Mi sitio')
  await page.getByLabel('Lectura y escritura').check()
  await page.getByLabel('Tu contraseña').fill('not my password')
  await me.press('Crear llave')
  await main(me).getByText('No es correcta').waitFor()
  await page.getByLabel('Tu contraseña').fill(PASSWORD)
  await me.press('Crear llave')
  const key = await page.getByLabel('Llave', { exact: true }).inputValue()
  if (way.scripts) {
    await me.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await main(me).getByRole('button', { name: 'Copiar' }).click()
    await main(me).getByRole('button', { name: 'Copiado' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  }
  return key
}

/** Over HTTP, as her own site would. */
async function callApi(key: string, path: string) {
  const answer = await fetch(`${walk.base}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  return answer.json()
}

async function readOverHttp(key: string, listing: string): Promise<string> {
  const body = await callApi(key, `/properties/${listing}`)
  expect(body).toMatchObject({ title: TITLE, status: 'published', bedrooms: 3 })
  expect(body.images).toHaveLength(2)
  const picture = await fetch(walk.base + new URL(body.images[0].url).pathname)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  return body.slug
}

/** How many events of a type her receiver got, without the test event. */
async function addWebhook(me: Walker, email: string, way: Way): Promise<(event: string) => number> {
  const { page } = me
  const path = `/${email}`
  await me.open('/portal/webhooks')
  await page.getByLabel('Dirección de tu servidor').pressSequentially('http://example.com')
  if (way.scripts) await main(me).getByText('debe empezar con https://').waitFor()
  await page.getByLabel('Dirección de tu servidor').fill(receiver.url(path))
  if (way.scripts) await main(me).getByText('Dirección correcta').waitFor()
  await page.getByLabel('Tu contraseña').fill(PASSWORD)
  await me.press('Agregar webhook')
  expect(await page.getByLabel('Secreto', { exact: true }).inputValue()).toMatch(/^whsec_/)
  await me.follow('Ya lo guardé')
  await me.press('Probar')
  await main(me).getByText('Prueba enviada: ok (200)').waitFor()
  const mine = () => receiver.received.filter(one => one.path === path)
  const tests = mine().length
  expect(tests).toBe(1)
  return event =>
    mine()
      .slice(tests)
      .filter(({ body }) => JSON.parse(body.toString()).event === event).length
}

/** A stranger sends an inquiry from the listing's page; the agent changes the lead's stage. */
async function takeLead(me: Walker, slug: string, way: Way): Promise<void> {
  const visitor = await walk.visit(way)
  await visitor.open(`/propiedades/${slug}`)
  await visitor.page.getByLabel('Tu nombre').fill('María López')
  await visitor.page.getByLabel('Teléfono').fill('33 8765 4321')
  await visitor.page.getByRole('checkbox').check()
  // Forms sent faster than a person can type count as automated.
  await sleep(FASTEST_PERSON_MS)
  await visitor.press('Enviar')
  await visitor.page.getByRole('heading', { name: 'Tu mensaje va en camino' }).waitFor()
  await visitor.context.close()
  await me.open('/portal/leads')
  const stage = me.page.getByLabel('Etapa de María López')
  if (way.scripts) {
    // Selecting submits the form.
    await Promise.all([me.page.waitForEvent('load'), stage.selectOption('contacted')])
    await me.check()
  } else {
    await stage.selectOption('contacted')
    await me.press('Mover')
  }
  await me.page.locator('[data-stage=contacted]').getByText('María López').waitFor()
}
