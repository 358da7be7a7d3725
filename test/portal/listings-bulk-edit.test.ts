import { beforeAll, describe, expect, it } from 'vitest'
import { suspendListing } from '../../src/listings/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()
const PATH = '/portal/listings/bulk-edit'

let agent: TestAgent
let visitor: Visitor
beforeAll(async () => {
  ;({ agent, visitor } = await signedInAgent(exchange))
})

type Fields = Record<string, string | string[]>

/** From the list, over the form, to the preview. */
async function preview(ids: string[], fields: Fields) {
  await visitor.open('/portal/listings')
  // The same button of a browser without JavaScript: the form of the list, sent to another address.
  visitor.html = visitor.html.replace('action="/portal/listings/bulk"', `action="${PATH}"`)
  await visitor.submit(PATH, { id: ids })
  expect(visitor.text).toContain('Editar varias propiedades')
  return visitor.submit(PATH, { ...fields, step: 'preview' })
}

const apply = () => visitor.submit(PATH, { step: 'apply' })

const find = (id: string) =>
  exchange.db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function eventsOf(id: string): Promise<unknown[]> {
  const { rows } = await exchange.pool.query(
    `select event from outbox where data->>'id' = $1 order by created_at`,
    [id],
  )
  return rows.map(row => row.event)
}

describe('editing many listings', () => {
  it('previews every change and every problem, applies one transaction and one event to each, and says which failed', async () => {
    const sale = await exchange.published(agent, { title: 'Casa sola uno', sale_price: 4_321_000 })
    const draft = await exchange.listing(agent, { title: 'Casa sola dos', sale_price: 100_000 })
    const rent = await exchange.listing(agent, {
      title: 'Local en renta',
      sale_price: null,
      rent_price: 12_345,
    })
    await preview([sale.id, draft.id, rent.id], {
      price_by: '-5',
      price_of: 'sale',
      price_round: '1000',
      add: ['Alberca', 'Jardín'],
    })
    expect(visitor.text).toContain('Cambiarán (2)')
    expect(visitor.text).toContain('$4,321,000 → $4,105,000')
    expect(visitor.text).toContain('Precio de venta: la propiedad no tiene este precio')
    expect(await find(sale.id)).toMatchObject({ sale_price: 4_321_000 })

    const before = await eventsOf(sale.id)
    await apply()
    expect(visitor.text).toContain('Cambiadas (2)')
    expect(visitor.text).toContain('Rechazadas (1)')
    expect(await find(sale.id)).toMatchObject({ sale_price: 4_105_000 })
    expect((await find(sale.id)).features).toEqual(expect.arrayContaining(['Alberca', 'Jardín']))
    expect(await find(draft.id)).toMatchObject({ sale_price: 95_000, status: 'draft' })
    expect(await find(rent.id)).toMatchObject({ rent_price: 12_345 })
    expect((await eventsOf(sale.id)).slice(before.length)).toEqual(['listing.updated'])
    expect(await eventsOf(draft.id)).toEqual([])
  })

  it('changes nothing when it is sent again, or after somebody else changed the listing', async () => {
    const { id } = await exchange.listing(agent, { title: 'Casa repetida', sale_price: 1_000_000 })
    await preview([id], { price_by: '+10', price_unit: 'percent' })
    const page = visitor.html
    await apply()
    visitor.html = page
    await apply()
    expect(visitor.text).toContain('Cambió después de la vista previa')
    expect(await find(id)).toMatchObject({ sale_price: 1_100_000 })
  })

  it('replaces or appends text, removes amenities and changes the status with the price', async () => {
    const { id } = await exchange.listing(agent, {
      title: 'Casa en preventa única',
      description: 'Casa en preventa. Entrega inmediata.',
      features: ['Alberca', 'Jardín'],
      sale_price: 1_000,
    })
    await preview([id], {
      text_do: 'replace',
      text_in: 'title',
      phrase: 'en preventa ',
      remove: ['Alberca'],
      transition: 'publish',
      price_by: '500.50',
      price_unit: 'amount',
    })
    expect(visitor.text).toContain('Borrador → Publicada')
    await apply()
    expect(await find(id)).toMatchObject({
      title: 'Casa única',
      features: ['Jardín'],
      status: 'published',
      sale_price: 1_501,
    })
    expect(await eventsOf(id)).toEqual(['listing.published'])
    await preview([id], { text_do: 'append', text_in: 'description', text: 'Acepta créditos $&.' })
    await apply()
    expect(await find(id)).toMatchObject({
      description: 'Casa en preventa. Entrega inmediata.\n\nAcepta créditos $&.',
    })
  })

  it('names what is wrong with the form, and what a listing cannot take', async () => {
    const { id } = await exchange.published(agent, { title: 'Casa de cinco', sale_price: 900 })
    await preview([id], {})
    expect([visitor.status, visitor.text.includes('Indica qué cambiar')]).toEqual([422, true])
    await preview([id], { price_by: 'abc', add: ['Helipuerto'], text_do: 'replace', text: 'x' })
    expect(visitor.status).toBe(422)
    await preview([id], { price_by: '-100' })
    expect(visitor.status).toBe(422)
    await preview([id], { price_by: '-900', price_unit: 'amount', text_do: 'replace', phrase: 'no está' })
    expect(visitor.status).toBe(200)
    expect(visitor.text).toContain('Precio de venta: debe ser mayor que cero')
    expect(visitor.text).toContain('Descripción: no contiene la frase')
    expect(visitor.html).not.toContain('value="apply"')
    await suspendListing(exchange.db, id)
    await preview([id], { transition: 'unpublish' })
    expect(visitor.text).toContain('El operador suspendió esta propiedad')
  })

  it('leaves out other agents’ listings, asks for a selection and is bounded', async () => {
    const theirs = await exchange.published(await exchange.agent(), { sale_price: 1_000 })
    const own = await exchange.listing(agent, { title: 'Casa propia sola', sale_price: 1_000 })
    await preview([own.id, theirs.id, 'not-an-id'], { price_by: '50' })
    expect(visitor.text).toContain('Cambiarán (1)')
    await visitor.submit(PATH, { id: [own.id, theirs.id], [`version-${theirs.id}`]: 'x', step: 'apply' })
    expect([(await find(own.id)).sale_price, (await find(theirs.id)).sale_price]).toEqual([1_500, 1_000])
    await preview([own.id], { price_by: '50' })
    await visitor.submit(PATH, { id: [theirs.id], step: 'apply' })
    expect(visitor.text).toContain('Selecciona al menos una propiedad.')
    await preview([own.id], { price_by: '50' })
    await visitor.submit(PATH, { id: Array.from({ length: 101 }, (_, i) => `x${i}`) })
    expect(visitor.status).toBe(400)
  })
})
