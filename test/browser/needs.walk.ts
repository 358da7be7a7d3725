import { mkdirSync } from 'node:fs'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needSource } from '../../src/needs/source.ts'
import type { Mail } from '../../src/notices/mail.ts'
import { MatchFollower } from '../../src/search/matching/follower.ts'
import { PUBLIC_URL, type TestAgent } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { until } from '../support/receiver.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS, type Walker } from '../support/walk.ts'

const walk = useWalk()
let follower: MatchFollower

beforeAll(() => {
  const url = walk.exchange.pool.options.connectionString as string
  follower = new MatchFollower({ url, logger: pino({ level: 'silent' }), sources: [needSource] })
})
afterAll(() => follower?.stop())

/** With SCREENSHOTS=folder every screen is kept as a picture, to look at. */
const FOLDER = process.env.SCREENSHOTS
async function keep({ page }: Walker, name: string): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true })
}

const CITIES = ['Colima', 'Tepic', 'Durango', 'Campeche']

/** The mails to that agent that name the listing. */
const mailsTo = async ({ email }: TestAgent, slug: string): Promise<Mail[]> =>
  (await takeMail(walk.exchange)).filter(({ to, text }) => to.address === email && text.includes(slug))

const isMatched = async (listingId: string) =>
  (await walk.exchange.pool.query('select from need_matches where listing_id = $1', [listingId])).rowCount ===
  1

describe.each(WAYS)('$name', way => {
  it('a need is posted, a colleague publishes by API, the notice arrives once; the listing is offered and accepted', async () => {
    const { exchange } = walk
    const city = CITIES[WAYS.indexOf(way)] as string
    const finder = await exchange.agent({ name: 'Sara Busca', password: PASSWORD })
    const owner = await exchange.agent({ name: 'Luis Lista', password: PASSWORD })
    const [seeker, lister] = [await walk.visit(way), await walk.visit(way, true)]
    await seeker.signIn(finder.email, PASSWORD)
    await lister.signIn(owner.email, PASSWORD)

    // Posted, from a search of the market.
    await seeker.open(`/portal/market?operation=sale&type=house&place=${city}`)
    await keep(seeker, `${city}-market`)
    await seeker.follow('Guardar como búsqueda')
    await seeker.page.getByLabel('Presupuesto hasta').fill('5000000')
    await seeker.page.getByLabel('Moneda').selectOption('MXN')
    await seeker.page.getByLabel('Cliente', { exact: false }).first().fill('Rosa Elena Cárdenas')
    await seeker.page.getByLabel('Mostrarla en el tablero').check()
    await seeker.page.getByLabel('Al momento').check()
    await keep(seeker, `${city}-new`)
    await seeker.press('Guardar búsqueda')
    const need = new URL(seeker.page.url()).pathname

    // Published by API; the notice arrives once.
    const listing = await exchange.published(owner, {
      title: `Casa en ${city}`,
      city,
      property_type: 'house',
      sale_price: 4_500_000,
      sale_currency: 'MXN',
      shared_commission: '3',
      address: 'Av. Secreta 123',
    })
    await until(() => isMatched(listing.id))
    const [mail, ...others] = await mailsTo(finder, listing.slug)
    expect(others).toEqual([])
    await exchange.put(`/properties/${listing.id}`, owner.key, { bedrooms: 5 })
    const later = await exchange.published(owner, { city, sale_price: 4_600_000, property_type: 'house' })
    await until(() => isMatched(later.id))
    expect(await mailsTo(finder, listing.slug)).toEqual([])
    await seeker.open(need)
    expect(await seeker.page.locator('main').textContent()).toContain(`Casa en ${city}`)
    await keep(seeker, `${city}-need`)

    // Offered by its agent, who does not learn who the client is.
    await lister.open(`/portal/listings/${listing.id}`)
    await lister.follow('1 búsqueda de colegas coincide')
    await keep(lister, `${city}-board`)
    await lister.follow('Ofrecer esta propiedad')
    await lister.page.getByLabel('Mensaje').fill('Se puede ver cualquier tarde.')
    await keep(lister, `${city}-form`)
    await lister.press('Enviar oferta')
    expect(await lister.page.locator('main').textContent()).not.toContain('Rosa')
    await keep(lister, `${city}-sent`)

    // Accepted by the need's agent.
    await seeker.open('/portal')
    await keep(seeker, `${city}-home`)
    await seeker.follow('Cooperaciones por responder')
    await keep(seeker, `${city}-list`)
    await seeker.follow(`Casa en ${city}`)
    expect(await seeker.page.locator('main').textContent()).not.toContain('Av. Secreta 123')
    await keep(seeker, `${city}-offered`)
    await seeker.press('Aceptar')
    expect(await seeker.page.locator('main').textContent()).toContain('Av. Secreta 123')
    await keep(seeker, `${city}-accepted`)

    // The link of the mail ends the notices without signing in.
    const reader = await walk.visit(way)
    await reader.open(String(mail?.unsubscribeUrl).slice(PUBLIC_URL.length))
    await keep(reader, `${city}-unsubscribe`)
    await reader.press('Dejar de recibirlos')
    await keep(reader, `${city}-ended`)
    await seeker.open(need)
    expect(await seeker.page.locator('main').textContent()).toContain('Sin correo')

    for (const { context } of [seeker, lister, reader]) await context.close()
  })
})
