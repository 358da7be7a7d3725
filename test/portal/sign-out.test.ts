import { describe, expect, it } from 'vitest'
import { setVerified, signOutEverywhere } from '../../src/agents/service.ts'
import { useExchange } from '../support/exchange.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const isOut = async (visitor: Visitor) => (await visitor.open('/portal/leads')).path.includes('/sign-in')

describe('an agent whose verification is revoked', () => {
  it('is signed out at once, on every device', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const phone = await new Visitor(exchange).signIn(agent.email)
    await setVerified(exchange.db, agent.email, false)
    expect([await isOut(visitor), await isOut(phone)]).toEqual([true, true])
  })

  it('cannot export all leads after signing in again', async () => {
    const { agent } = await signedInAgent(exchange)
    await exchange.post('/leads', agent.key, { name: 'Eva Exportada' })
    await setVerified(exchange.db, agent.email, false)
    const visitor = await new Visitor(exchange).signIn(agent.email)
    await visitor.open('/portal/leads')
    expect(visitor.status).toBe(200)
    expect(visitor.html).not.toContain('export.csv')
    await visitor.open('/portal/leads/export.csv')
    expect(visitor.status).toBe(403)
    expect(visitor.html).not.toContain('Exportada')
  })
})

describe('the operator', () => {
  it('ends all sessions of an agent, and it is logged', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { agent: boss, visitor: operator } = await signedInAgent(exchange)
    await exchange.db.updateTable('agents').set({ is_operator: true }).where('id', '=', boss.id).execute()
    await operator.open(`/portal/operator/agents/${agent.id}`)
    await operator.submit(`/portal/operator/agents/${agent.id}/sign-out`)
    expect(await isOut(visitor)).toBe(true)
    expect(await isOut(operator)).toBe(false)
    await operator.open('/portal/operator/audit')
    expect(operator.text).toContain('Cerró las sesiones de un agente')
    expect(operator.text).toContain(agent.email)
  })

  it('also invalidates password reset links', async () => {
    const { agent } = await signedInAgent(exchange)
    const visitor = await new Visitor(exchange).open('/portal/forgotten')
    await visitor.submit('/portal/forgotten', { email: agent.email })
    const link = linkIn((await takeMail(exchange)).find(mail => mail.kind === 'reset'))
    await signOutEverywhere(exchange.db, agent.id)
    expect((await visitor.open(link)).status).toBe(404)
    expect((await new Visitor(exchange).signIn(agent.email, PASSWORD)).path).toBe('/portal')
  })
})
