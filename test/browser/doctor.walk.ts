import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { examineChanged } from '../../src/doctor/service.ts'
import { newFeed } from '../support/feeds.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS } from '../support/walk.ts'

const walk = useWalk()

describe.each(WAYS)('$name', way => {
  it('an agent corrects what was found with a click, and says what is right', async () => {
    const { exchange } = walk
    const agent = await exchange.agent({ name: 'Olga Owner', password: PASSWORD })
    const title = `CASA CON JARDÍN EN PROVIDENCIA ${way.width} ${way.scripts ? 'A' : 'B'}`
    const { id } = await exchange.published(agent, { title, description: 'Informes al 33 1234 5678' })
    await exchange.published(agent, { title: 'Departamento en renta, no en venta', sale_price: 18_500 })
    await examineChanged(exchange.db, new Date())

    const desk = await walk.visit(way)
    await desk.signIn(agent.email, PASSWORD)
    await desk.open('/portal/listings')
    await desk.follow('Por revisar')
    await desk.page.getByText('parece una renta').waitFor()
    await desk.press('Pasar a minúsculas')
    await desk.press('Quitar teléfonos y correos')
    await desk.press('Es correcto')
    await desk.page.getByText('Todo en orden').waitFor()
    const { body } = await exchange.get(`/properties/${id}`, agent.key)
    expect([body.title.slice(0, 8), body.description]).toEqual(['Casa con', null])
    await desk.context.close()
  })

  it('an agent changes a feed, and the operator sees it', async () => {
    const agent = await walk.exchange.agent({ name: 'Olga Owner', password: PASSWORD })
    await setOperator(walk.exchange.db, agent.email, true)
    const feed = await newFeed(walk.exchange, agent)
    const desk = await walk.visit(way)
    await desk.signIn(agent.email, PASSWORD)
    await desk.open(`/portal/feeds/${feed.id}`)
    await desk.page.getByLabel('Nombre').fill(`Portal ${way.width} ${way.scripts}`)
    await desk.page.getByLabel('CSV').check()
    await desk.press('Guardar')
    expect(await desk.page.getByLabel('Dirección del feed').inputValue()).toMatch(/\.csv$/)
    await desk.open('/portal/operator/feeds')
    await desk.page.getByText(`Portal ${way.width} ${way.scripts}`).waitFor()
    await desk.open('/portal/operator/duplicates')
    await desk.context.close()
  })
})
