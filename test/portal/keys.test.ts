import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { HOUSE, useExchange } from '../support/exchange.ts'
import { PASSWORD, signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange({ rateLimit: 600 })

async function create(visitor: Visitor, fields: Record<string, string> = {}) {
  await visitor.open('/portal/keys')
  await visitor.submit('/portal/keys', { label: 'Mi sitio', scopes: 'read', password: PASSWORD, ...fields })
  return /svc_[0-9A-Za-z]{8}_[0-9A-Za-z]{48}/.exec(visitor.html)?.[0] as string
}

const prefixOf = (key: string) => key.slice(4, 12)

describe('a new key', () => {
  it('is shown once, on a page that is not cached, and works at once', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const key = await create(visitor)
    expect(visitor.status).toBe(200)
    expect(visitor.headers['cache-control']).toBe('no-store')
    const me = await exchange.get('/me', key)
    expect(me.body).toMatchObject({ scopes: ['read'], agent: { id: agent.id }, key: { label: 'Mi sitio' } })
    await visitor.open('/portal/keys')
    expect(visitor.text).toContain(`svc_${prefixOf(key)}_…`)
    expect(visitor.html).not.toContain(key)
  })

  it('can read and write only if both were selected', async () => {
    const { visitor } = await signedInAgent(exchange)
    const [reads, writes] = [await create(visitor), await create(visitor, { scopes: 'read,write' })]
    expect((await exchange.post('/properties', reads, HOUSE)).status).toBe(403)
    expect((await exchange.post('/properties', writes, HOUSE)).status).toBe(201)
  })

  it.each([
    ['without the password', { password: '' }, 'No es correcta'],
    ['with a wrong password', { password: 'a guess of mine' }, 'No es correcta'],
    ['without a label', { label: ' ' }, 'Es obligatorio'],
    ['with a label of 81 characters', { label: 'x'.repeat(81) }, '80 caracteres como máximo'],
    ['with unknown permissions', { scopes: 'partner' }, 'Debe ser uno de'],
  ])('is not created %s', async (_name, fields, message) => {
    const { agent, visitor } = await signedInAgent(exchange)
    const before = await count(agent.id)
    await create(visitor, fields)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
    expect(await count(agent.id)).toBe(before)
  })

  it('is not created for an agent whose license is not verified', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { verified: false })
    await exchange.db.deleteFrom('api_keys').where('agent_id', '=', agent.id).execute()
    await visitor.open('/portal/keys')
    expect(visitor.text).toContain('Podrás crear llaves cuando verifiquemos tu licencia.')
    const before = await count(agent.id)
    await visitor.request('POST', '/portal/keys', {
      payload: new URLSearchParams({
        _token: visitor.token,
        label: 'x',
        scopes: 'read',
        password: PASSWORD,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(visitor.status).toBe(403)
    expect(await count(agent.id)).toBe(before)
  })

  it('is limited to twenty per agent', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    for (let i = await count(agent.id); i < 20; i++) await exchange.key(agent.email)
    await create(visitor)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('Puedes tener 20 llaves')
  })

  it('escapes a hostile label', async () => {
    const { visitor } = await signedInAgent(exchange)
    await create(visitor, { label: '<script>alert(1)</script>' })
    await visitor.open('/portal/keys')
    expect(visitor.html).not.toContain('<script>alert')
    expect(visitor.text).toContain('<script>alert(1)</script>')
  })
})

describe('a key in the list', () => {
  it('shows its requests of the last ten minutes and its last use', async () => {
    const { visitor } = await signedInAgent(exchange)
    const key = await create(visitor)
    for (let i = 0; i < 3; i++) await exchange.get('/me', key)
    await visitor.open('/portal/keys')
    expect(visitor.text).toContain('3 de 600 solicitudes')
    expect(visitor.text).toContain('Último uso')
  })

  it('stops at once when revoked', async () => {
    const { visitor } = await signedInAgent(exchange)
    const key = await create(visitor)
    await visitor.open('/portal/keys')
    await visitor.submit(`/portal/keys/${prefixOf(key)}/revoke`)
    expect(visitor.text).toContain('Revocada')
    expect((await exchange.get('/me', key)).status).toBe(401)
  })

  it('is listed before revoked ones, of which no more are shown than make a hundred with it', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await sql`insert into api_keys (agent_id, label, prefix, hash, scopes, revoked_at)
      select ${agent.id}, 'Old', 'old' || lpad(n::text, 5, '0'), sha256(n::text::bytea), '{read}', now()
      from generate_series(1, 120) as n`.execute(exchange.db)
    await visitor.open('/portal/keys')
    const [first, ...others] = [...visitor.html.matchAll(/svc_(\w{8})_…/g)].map(([, prefix]) => prefix)
    expect(first).toBe(prefixOf(agent.key))
    expect(others).toHaveLength(99)
  })

  it('cannot be revoked by another agent', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await signedInAgent(exchange)
    await other.visitor.open('/portal/keys')
    const prefix = prefixOf(agent.key)
    await other.visitor.request('POST', `/portal/keys/${prefix}/revoke`, {
      payload: `_token=${other.visitor.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(other.visitor.status).toBe(404)
    expect((await exchange.get('/me', agent.key)).status).toBe(200)
    expect((await visitor.open('/portal/keys')).text).not.toContain('Revocada')
  })
})

const count = async (agentId: string) =>
  (await exchange.db.selectFrom('api_keys').select('id').where('agent_id', '=', agentId).execute()).length
