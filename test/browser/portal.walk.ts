import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS, type Walker } from '../support/walk.ts'

const walk = useWalk({ network: loopbackNetwork() })
const receiver = new Receiver()
let folder: string
let licence: string

beforeAll(async () => {
  await receiver.listen()
  folder = await mkdtemp(join(tmpdir(), 'lonja-walk-'))
  licence = join(folder, 'licencia.jpg')
  await sharp({ create: { width: 800, height: 500, channels: 3, background: 'teal' } })
    .jpeg()
    .toFile(licence)
})
afterAll(async () => {
  await receiver.close()
  await rm(folder, { recursive: true })
})

async function operator() {
  const agent = await walk.exchange.agent({ password: PASSWORD, name: 'Olga Operadora' })
  await setOperator(walk.exchange.db, agent.email, true)
  return agent
}

const main = ({ page }: Walker) => page.locator('main')

describe.each(WAYS)('$name', way => {
  it('signs up, is verified, makes a key that works and a webhook that is reached', async () => {
    const email = `elena-${way.width}-${way.scripts}@example.mx`
    const me = await walk.visit(way)
    await me.open('/portal/sign-up')
    await me.page.getByLabel('Nombre completo').fill('Elena Pérez Rosas')
    await me.page.getByLabel('Correo electrónico').fill(email)
    await me.page.getByLabel('Teléfono').fill('33 1234 5678')
    await me.page.getByLabel('Contraseña').fill(PASSWORD)
    await me.page.getByLabel('En una inmobiliaria').check()
    await me.page.getByLabel('Nombre de la inmobiliaria').fill(`Casa ${way.name}`)
    await me.press('Crear cuenta')
    await main(me).getByText('Te enviamos un mensaje').waitFor()

    const mail = (await takeMail(walk.exchange)).find(({ to }) => to.address === email)
    await me.open(linkIn(mail))
    await me.page.getByLabel('Contraseña').fill('not what I chose')
    await me.press('Confirmar y entrar')
    await main(me).getByText('No es correcta').waitFor()
    await me.page.getByLabel('Contraseña').fill(PASSWORD)
    await me.press('Confirmar y entrar')

    await main(me).getByText('Tu licencia aún no está verificada.').waitFor()
    await me.page.getByLabel('Estado que la emitió').selectOption('Jalisco')
    await me.page.getByLabel('Autoridad').fill('Secretaría de Desarrollo Económico')
    await me.page.getByLabel('Número de licencia').fill('JAL-1')
    await me.page.getByLabel('Documento').setInputFiles(licence)
    await me.press('Enviar a verificación')
    await main(me).getByText('En revisión').waitFor()

    const desk = await walk.visit(way)
    await desk.signIn((await operator()).email, PASSWORD)
    await desk.open('/portal/operator/licences')
    await main(desk).getByRole('link', { name: email }).click()
    await desk.check()
    const download = desk.page.waitForEvent('download')
    await main(desk).getByRole('link', { name: 'Descargar documento' }).click()
    expect((await download).suggestedFilename()).toMatch(/^licencia-.*\.webp$/)
    await desk.press('Verificar licencia')
    await main(desk).getByText('está verificado').waitFor()
    await desk.context.close()

    await me.open('/portal/keys')
    await me.page.getByLabel('Nombre', { exact: true }).fill('Mi sitio')
    await me.page.getByLabel('Lectura y escritura').check()
    await me.page.getByLabel('Tu contraseña').fill(PASSWORD)
    await me.press('Crear llave')
    const key = await me.page.getByLabel('Llave', { exact: true }).inputValue()
    if (way.scripts) {
      await me.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await main(me).getByRole('button', { name: 'Copiar' }).click()
      await main(me).getByRole('button', { name: 'Copiada' }).waitFor()
      expect(await me.page.evaluate('navigator.clipboard.readText()')).toBe(key)
    }
    expect((await walk.exchange.get('/me', key)).body.agency.name).toBe(`Casa ${way.name}`)

    await me.open('/portal/webhooks')
    await me.page.getByLabel('Dirección de tu servidor').pressSequentially('http://example.com')
    if (way.scripts) await main(me).getByText('debe empezar con https://').waitFor()
    await me.page.getByLabel('Dirección de tu servidor').fill(receiver.url(`/${email}`))
    if (way.scripts) await main(me).getByText('Dirección correcta').waitFor()
    await me.page.getByLabel('Tu contraseña').fill(PASSWORD)
    await me.press('Agregar webhook')
    expect(await me.page.getByLabel('Secreto').inputValue()).toMatch(/^whsec_/)
    await Promise.all([
      me.page.waitForEvent('load'),
      main(me).getByRole('link', { name: 'Ya lo guardé' }).click(),
    ])
    await me.press('Probar')
    await main(me).getByText('Prueba enviada: ok (200)').waitFor()
    await me.context.close()
  })
})

describe('every screen', () => {
  const PLACES = ['', '/profile', '/agency', '/licence', '/account', '/keys', '/webhooks', '/nothing']
  const DESK = [
    '',
    '/licences',
    '/agents',
    '/agencies',
    '/listings',
    '/keys',
    '/webhooks',
    '/health',
    '/audit',
  ]
  const OUTSIDE = ['/sign-in', '/sign-up', '/forgotten', '/check-mail', '/reset?token=x']

  it.each([
    [1280, false],
    [1280, true],
    [390, false],
    [390, true],
  ])('is sound at %i pixels, dark: %s', async (width, dark) => {
    const agent = await operator()
    const listing = await walk.exchange.published(agent, { title: `Casa ${'muy '.repeat(30)}larga` })
    await walk.exchange.post('/leads', agent.key, { name: 'Eva', property_id: listing.id })
    const visitor = await walk.visit({ width: width as 1280 | 390, scripts: true }, dark)
    for (const path of OUTSIDE) await visitor.open(`/portal${path}`)
    await visitor.signIn(agent.email, PASSWORD)
    for (const path of PLACES) await visitor.open(`/portal${path}`)
    for (const path of DESK) await visitor.open(`/portal/operator${path}`)
    await visitor.open(`/portal/operator/agents/${agent.id}`)
    await visitor.context.close()
  })

  it('speaks English and turns dark at one click, on a phone behind the menu', async () => {
    const agent = await operator()
    const visitor = await walk.visit({ width: 390, scripts: false })
    await visitor.signIn(agent.email, PASSWORD)
    const menu = visitor.page.getByRole('banner')
    await menu.locator('summary').click()
    await menu.getByRole('button', { name: 'English' }).click()
    await visitor.page.getByRole('heading', { name: 'Hello, Olga' }).waitFor()
    await menu.locator('summary').click()
    await menu.getByRole('button', { name: 'Dark theme' }).click()
    await visitor.page.locator('html[data-theme="lonja-dark"]').waitFor()
    await visitor.check()
    await visitor.context.close()
  })

  it('is reached by keyboard: skip link, places, and out', async () => {
    const agent = await operator()
    const visitor = await walk.visit({ width: 1280, scripts: true })
    await visitor.signIn(agent.email, PASSWORD)
    await visitor.page.keyboard.press('Tab')
    expect(await visitor.page.evaluate('document.activeElement.textContent')).toBe('Ir al contenido')
    await visitor.page.getByRole('link', { name: 'Llaves de API' }).focus()
    await Promise.all([visitor.page.waitForEvent('load'), visitor.page.keyboard.press('Enter')])
    expect(new URL(visitor.page.url()).pathname).toBe('/portal/keys')
    await visitor.page.getByRole('button', { name: 'Cerrar sesión' }).focus()
    await Promise.all([visitor.page.waitForEvent('load'), visitor.page.keyboard.press('Enter')])
    expect(new URL(visitor.page.url()).pathname).toBe('/portal/sign-in')
    await visitor.context.close()
  })
})
