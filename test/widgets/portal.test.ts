import { describe, expect, it } from 'vitest'
import { snippetOf } from '../../src/widgets/portal/snippet.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { useExchange } from '../support/exchange.ts'
import { PASSWORD, signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const FIELDS = {
  name: 'Mi sitio',
  kind: 'inquiry',
  domains: 'https://www.Example.com/contacto\nexample.com',
  lang: 'es',
}

const rowsOf = (agent: { id: string }) =>
  exchange.db.selectFrom('widgets').selectAll().where('agent_id', '=', agent.id).execute()

describe('a widget', () => {
  it('is created, copied from its page, changed, switched off and on, and removed', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga <Owner>' })
    await visitor.open('/portal/widgets')
    expect(visitor.text).toContain('Aún no tienes widgets')
    await visitor.submit('/portal/widgets', FIELDS)
    const { path } = visitor
    const [made] = await rowsOf(agent)
    expect(path).toBe(`/portal/widgets/${made?.id}`)
    expect(made).toMatchObject({
      name: 'Mi sitio',
      kind: 'inquiry',
      domains: ['www.example.com', 'example.com'],
    })
    expect(visitor.text).toContain(
      `<script src="https://lonja.example/widget.js" data-widget="${made?.id}" data-title="Escribe a Olga &lt;Owner&gt;" async></script>`,
    )
    expect(visitor.text).toContain(`<noscript><a href="https://lonja.example/agentes/${agent.slug}">`)

    await visitor.submit(`${path}/edit`, { ...FIELDS, kind: 'listings', lang: 'en', domains: 'otro.mx' })
    expect(await rowsOf(agent)).toMatchObject([{ kind: 'listings', lang: 'en', domains: ['otro.mx'] }])
    await visitor.submit(`${path}/pause`)
    expect(await rowsOf(agent)).toMatchObject([{ active: false }])
    await visitor.open('/portal/widgets')
    expect(visitor.text).toContain('Mi sitio Mis propiedades Desactivado otro.mx')
    await visitor.open(path)
    await visitor.submit(`${path}/resume`)
    expect(await rowsOf(agent)).toMatchObject([{ active: true }])
    await visitor.submit(`${path}/remove`)
    expect(await rowsOf(agent)).toEqual([])
  })

  it.each([
    ['without a name', { name: '' }, 'Es obligatorio.'],
    ['without domains', { domains: ' ' }, 'Es obligatorio.'],
    ['for the whole web', { domains: '*' }, 'Lleva un dominio por línea, como www.ejemplo.com: revisa «*».'],
    ['of an unknown kind', { kind: 'x' }, 'Debe ser uno de: listings, inquiry.'],
  ])('is not created %s, and the form keeps what was typed', async (_what, fields, message) => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/widgets')
    await visitor.submit('/portal/widgets', { ...FIELDS, ...fields })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
    expect(visitor.html).toContain('name' in fields ? 'www.Example.com/contacto' : 'value="Mi sitio"')
    expect(await rowsOf(agent)).toEqual([])
  })

  it('keeps its domains when a change has no valid one', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/widgets')
    await visitor.submit('/portal/widgets', FIELDS)
    await visitor.submit(`${visitor.path}/edit`, { ...FIELDS, domains: "x'; frame-ancestors *" })
    expect(visitor.status).toBe(422)
    expect(await rowsOf(agent)).toMatchObject([{ domains: ['www.example.com', 'example.com'] }])
  })

  it('counts only its own leads in the list', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const stranger = await exchange.agent()
    const value = { name: 'Contacto', kind: 'inquiry' as const, domains: ['a.mx'] }
    const id = await createWidget(exchange.db, agent.id, { value, issues: [] })
    const lead = { agent_id: agent.id, name: 'Eva', source: `widget:${id}` }
    await exchange.db
      .insertInto('leads')
      .values([lead, { ...lead, agent_id: stranger.id }])
      .execute()
    await visitor.open('/portal/widgets')
    expect(visitor.text).toContain('a.mx · 1 prospecto')
  })

  it('is limited to 20 per agent', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const value = { agent_id: agent.id, name: 'x', kind: 'listings' as const, domains: ['a.mx'] }
    await exchange.db
      .insertInto('widgets')
      .values(Array.from({ length: 20 }, () => value))
      .execute()
    await visitor.open('/portal/widgets')
    await visitor.submit('/portal/widgets', FIELDS)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('Puedes tener 20 widgets: quita uno primero.')
    expect(await rowsOf(agent)).toHaveLength(20)
  })

  it('cannot be created without a verified license', async () => {
    const agent = await exchange.agent({ verified: false, password: PASSWORD })
    const visitor = await new Visitor(exchange).signIn(agent.email)
    await visitor.open('/portal/widgets')
    await visitor.request(
      'POST',
      '/portal/widgets',
      urlencoded([['_token', visitor.token], ...Object.entries(FIELDS)]),
    )
    expect(visitor.status).toBe(403)
    expect(await rowsOf(agent)).toEqual([])
  })
})

describe('the embed code', () => {
  it('escapes the name', () => {
    const page = { name: '"></script><script>alert(1)</script>', slug: 'ana' }
    const code = snippetOf({ id: 'an-id', kind: 'listings', lang: 'en' }, page, 'https://lonja.example')
    expect([...code.matchAll(/<script\b/g)]).toHaveLength(1)
    expect(code).toContain('&quot;&gt;&lt;/script&gt;')
    expect(code).toContain('https://lonja.example/en/agentes/ana')
  })
})
