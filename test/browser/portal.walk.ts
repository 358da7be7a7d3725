import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk } from '../support/walk.ts'

const walk = useWalk()

async function operator() {
  const agent = await walk.exchange.agent({ password: PASSWORD, name: 'Olga Operadora' })
  await setOperator(walk.exchange.db, agent.email, true)
  return agent
}

describe('every screen', () => {
  const PLACES = [
    '',
    '/profile',
    '/agency',
    '/licence',
    '/account',
    '/keys',
    '/webhooks',
    '/leads/new',
    '/nothing',
  ]
  const DESK = [
    '',
    '/licences',
    '/agents',
    '/agencies',
    '/listings',
    '/keys',
    '/webhooks',
    '/rates',
    '/limits',
    '/notice',
    '/health',
    '/audit',
  ]
  const OUTSIDE = ['/sign-in', '/sign-up', '/forgotten', '/check-mail', '/reset?token=x']

  it.each([
    [1280, false],
    [1280, true],
    [390, false],
    [390, true],
  ])('passes axe-core and fits the screen at %i pixels, dark: %s', async (width, dark) => {
    const agent = await operator()
    const listing = await walk.exchange.published(agent, { title: `Casa ${'muy '.repeat(30)}larga` })
    await walk.exchange.post('/leads', agent.key, { name: 'Eva', property_id: listing.id })
    const visitor = await walk.visit({ width: width as 1280 | 390, scripts: true }, dark)
    for (const path of OUTSIDE) await visitor.open(`/portal${path}`)
    await visitor.open('/para-agentes')
    await visitor.signIn(agent.email, PASSWORD)
    for (const path of PLACES) await visitor.open(`/portal${path}`)
    for (const path of DESK) await visitor.open(`/portal/operator${path}`)
    await visitor.open(`/portal/operator/agents/${agent.id}`)
    await visitor.context.close()
  })

  it('switches to English and to dark mode with one click, on a phone from the menu', async () => {
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

  it('works with the keyboard: skip link, navigation, sign out', async () => {
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
