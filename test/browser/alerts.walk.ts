import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { alertSource } from '../../src/alerts/source.ts'
import { MatchFollower } from '../../src/search/matching/follower.ts'
import type { TestAgent } from '../support/exchange.ts'
import { clock, SECOND, useClock } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { useWalk, WAYS, type Walker } from '../support/walk.ts'

const walk = useWalk(useClock())
let agent: TestAgent
let follower: MatchFollower

beforeAll(async () => {
  agent = await walk.exchange.agent()
  const url = walk.exchange.pool.options.connectionString as string
  follower = new MatchFollower({ url, logger: pino({ level: 'silent' }), sources: [alertSource] })
})
afterAll(() => follower.stop())
beforeEach(() => {
  clock.now += 3_600 * SECOND
})

const heading = (walker: Walker) => walker.page.getByRole('heading', { level: 1 }).textContent()
const publish = (city: string) => walk.exchange.published(agent, { city, sale_price: 3_000_000 })

describe.each(WAYS)('$name', way => {
  it('a visitor’s alert goes from a search to the mail about a new listing, and ends with one click', async () => {
    const city = `Ciudad ${way.width} ${way.scripts}`
    const email = `vera-${way.width}-${way.scripts}@example.com`
    await publish(city)
    await walk.exchange.search.refresh()
    const visitor = await walk.visit(way)
    await visitor.open(`/propiedades?city=${encodeURIComponent(city)}`)
    await visitor.follow('Avísame')
    expect(await heading(visitor)).toBe('Avísame de propiedades nuevas')
    clock.now += 5 * SECOND
    await visitor.press('Avísame')
    expect(await visitor.page.getByRole('alert').textContent()).toContain('No pudimos enviarlo')
    await visitor.page.getByLabel('Tu correo').fill(email)
    await visitor.page.getByLabel('Al momento').check()
    await visitor.page.getByRole('checkbox').check()
    await visitor.press('Avísame')
    expect(await heading(visitor)).toBe('Revisa tu correo')

    await visitor.open(linkIn((await takeMail(walk.exchange)).find(mail => mail.to.address === email)))
    expect(await heading(visitor)).toBe('Activa tu aviso')
    expect(await visitor.page.getByLabel('Al momento').isChecked()).toBe(true)
    await visitor.press('Activar aviso')
    expect(await heading(visitor)).toBe('Tu aviso')
    expect(await visitor.page.getByRole('status').textContent()).toContain('tu aviso está activo')

    const listing = await publish(city)
    const mail = await vi.waitFor(
      async () => {
        const found = (await takeMail(walk.exchange)).find(one => one.to.address === email)
        expect(found?.text).toContain(listing.slug)
        return found
      },
      { timeout: 10_000, interval: 100 },
    )
    await visitor.open(new URL(mail?.unsubscribeUrl as string).pathname)
    await visitor.press('Dejar de recibirlos')
    expect(await heading(visitor)).toBe('Listo, ya no te escribimos')
    const { rows } = await walk.exchange.pool.query('select from alerts where email = $1', [email])
    expect(rows).toEqual([])
  })
})
