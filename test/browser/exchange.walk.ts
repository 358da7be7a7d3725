import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toLocal } from '../../src/lib/time.ts'
import { documentPhoto } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS, type Walker } from '../support/walk.ts'

const walk = useWalk()

/** With SCREENSHOTS=folder every screen is kept as a picture, to look at. */
const FOLDER = process.env.SCREENSHOTS
async function keep({ page }: Walker, name: string): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true })
}

/** Opens what is folded, with or without scripts. */
const unfold = (walker: Walker, name: string) =>
  walker.page.locator('main summary', { hasText: name }).first().click()

async function people(tag: string) {
  const { exchange } = walk
  const owner = await exchange.agent({
    name: 'Olga Owner',
    password: PASSWORD,
    phone: '33 1111 2222',
    agency: 'Casas del Sur',
  })
  const finder = await exchange.agent({ name: 'Pedro Propone', password: PASSWORD })
  const place = { city: 'Zapopan', state: 'Jalisco', shared_commission: '3', address: 'Av. Secreta 123' }
  const first = await exchange.published(owner, {
    ...place,
    title: `Casa ${tag} con alberca`,
    sale_price: 5_000_000,
    bedrooms: 3,
  })
  await exchange.published(owner, {
    ...place,
    title: `Casa ${tag} con terraza`,
    sale_price: 5_400_000,
    bedrooms: 4,
  })
  await exchange.published(owner, { ...place, title: `Casa ${tag} reservada`, idx_opt_out: true })
  await exchange.put(`/properties/${first.id}`, owner.key, { sale_price: 4_800_000 })
  const email = `rosa-${tag}@example.com`
  await exchange.post('/leads', finder.key, { name: 'Rosa Elena Cárdenas', email, phone: '3355667788' })
  await exchange.search.refresh()
  return { owner, finder, email }
}

describe.each(WAYS)('$name', way => {
  it('an agent finds, compares and proposes; the other accepts; the buyer is identified; showing; closed', async () => {
    const tag =
      way.width > 1000 ? (way.scripts ? 'zafiro' : 'topacio') : way.scripts ? 'esmeralda' : 'turquesa'
    const { owner, finder, email } = await people(tag)
    const seeker = await walk.visit(way)
    const lister = await walk.visit(way, true)
    await seeker.signIn(finder.email, PASSWORD)
    await lister.signIn(owner.email, PASSWORD)

    // Finds.
    await seeker.open('/portal/market')
    await seeker.page.getByLabel('¿Qué busca tu cliente?').fill(`casa ${tag} 3 recamaras zapopan`)
    await seeker.press('Buscar')
    expect(await seeker.page.locator('main').textContent()).toContain('3% = $144,000 MXN')
    await keep(seeker, `${tag}-market`)
    await seeker.open(`/portal/market?q=${tag}&as=table&sort=commission`)
    await keep(seeker, `${tag}-table`)
    await seeker.open(`/portal/market?q=${tag}&as=map`)
    await keep(seeker, `${tag}-map`)

    // Compares.
    await seeker.open(`/portal/market?q=${tag}`)
    for (const box of await seeker.page.getByLabel('Comparar').all()) await box.check()
    await seeker.press('Comparar las marcadas (hasta 4)')
    expect(new URL(seeker.page.url()).pathname).toBe('/portal/market/compare')
    expect(await seeker.page.locator('thead th').count()).toBe(3)
    await keep(seeker, `${tag}-compare`)

    // Proposes.
    await seeker.follow(`Casa ${tag} con alberca`)
    await keep(seeker, `${tag}-listing`)
    await seeker.follow('Proponer cooperación')
    await seeker.page.getByLabel('Tu prospecto').selectOption({ label: 'Rosa Elena Cárdenas' })
    await seeker.page.getByLabel('Mensaje').fill('Mi clienta puede verla el sábado.')
    await keep(seeker, `${tag}-propose`)
    await seeker.press('Enviar propuesta')
    const path = new URL(seeker.page.url()).pathname

    // The other accepts.
    await lister.open('/portal/cooperations')
    await keep(lister, `${tag}-list`)
    await lister.follow(`Casa ${tag} con alberca`)
    await keep(lister, `${tag}-proposed`)
    expect(await lister.page.locator('main').textContent()).not.toContain('Rosa')
    await lister.press('Aceptar')

    // The buyer is identified.
    await seeker.open(path)
    expect(await seeker.page.locator('main').textContent()).toContain('Av. Secreta 123')
    await seeker.press('Pedir identificación')
    const mail = (await takeMail(walk.exchange)).find(one => one.to.address === email)
    const buyer = await walk.visit(way)
    await buyer.open(linkIn(mail))
    await buyer.page.getByLabel('Tu nombre, como está en el documento').fill('Rosa Elena Cárdenas')
    await buyer.page.getByLabel('Número del documento').fill('CRDTRS85QX77Z0')
    await buyer.page.getByLabel('Documento', { exact: true }).selectOption('ine')
    const photo = { name: 'ine.jpg', mimeType: 'image/jpeg', buffer: await documentPhoto() }
    await buyer.page.getByLabel('Foto del documento').setInputFiles(photo)
    await buyer.press('Enviar identificación')
    await buyer.context.close()
    await seeker.follow('Abrir el prospecto')
    await seeker.press('Aceptar identificación')

    // Showing, offer, closed.
    await lister.open(path)
    await lister.page.getByLabel('Día y hora').fill(toLocal(new Date(Date.now() + 3 * 86_400_000)))
    await lister.press('Agendar visita')
    await seeker.open(path)
    await unfold(seeker, 'Compartir los datos de mi cliente')
    await seeker.press('Compartir los datos de mi cliente')
    await seeker.page.getByLabel('Términos de la oferta').fill('Precio completo, de contado.')
    await seeker.press('Registrar oferta')
    await keep(seeker, `${tag}-offer`)
    await lister.open(path)
    expect(await lister.page.locator('main').textContent()).toContain('Rosa Elena Cárdenas')
    await lister.press('Cerrar operación')
    expect(await lister.page.locator('main').textContent()).toContain('Cerrada')
    await keep(lister, `${tag}-closed`)
    const pdf = await lister.context.request.get(`${walk.base}${path}/agreement.pdf`)
    expect(pdf.headers()['content-type']).toBe('application/pdf')

    expect([...seeker.complaints, ...lister.complaints]).toEqual([])
    await seeker.context.close()
    await lister.context.close()
  })
})

describe.each([
  { width: 1280, dark: true },
  { width: 390, dark: false },
] as const)('every screen at $width pixels, dark $dark', ({ width, dark }) => {
  it('has nothing that axe objects to and is not wider than the screen', async () => {
    const tag = width > 1000 ? 'amatista' : 'obsidiana'
    const { finder, owner } = await people(tag)
    const walker = await walk.visit({ width, scripts: true }, dark)
    await walker.signIn(finder.email, PASSWORD)
    const listing = await walk.exchange.get(`/properties?q=${tag}`, finder.key)
    const slugs = listing.body.content.map((one: { slug: string }) => one.slug)
    for (const path of [
      '/portal/cooperations',
      `/portal/market?q=${tag}`,
      `/portal/market?q=${tag}&min_commission=x`,
      `/portal/market?q=${tag}&as=table`,
      `/portal/market?q=${tag}&as=map`,
      `/portal/market?q=nadaasi`,
      '/portal/market/compare',
      `/portal/market/${slugs[0]}`,
      `/portal/market/${slugs[0]}/propose`,
      `/portal/market/${slugs[0]}/sheet`,
    ]) {
      await walker.open(path)
      await keep(walker, `${tag}-${dark ? 'dark' : 'light'}-${path.replace(/\W+/g, '_').slice(8, 60)}`)
    }
    expect(walker.complaints).toEqual([])
    const unverified = await walk.exchange.agent({ password: PASSWORD, verified: false })
    const visitor = await walk.visit({ width, scripts: true }, dark)
    await visitor.signIn(unverified.email, PASSWORD)
    for (const path of ['/portal/market', '/portal/cooperations']) await visitor.open(path)
    await keep(visitor, `${tag}-unverified`)
    expect(owner.id).not.toBe(finder.id)
    await visitor.context.close()
    await walker.context.close()
  })
})
