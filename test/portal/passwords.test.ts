import { describe, expect, it } from 'vitest'
import { passwordIssues } from '../../src/agents/accounts/passwords.ts'
import { createAgent } from '../../src/agents/service.ts'
import { issue } from '../../src/lib/issue.ts'
import { useExchange } from '../support/exchange.ts'
import { sentences } from '../support/issues.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange()
const NEW_PASSWORD = 'another long password'

async function resetLink(email: string): Promise<string> {
  const visitor = await new Visitor(exchange).open('/portal/forgotten')
  await visitor.submit('/portal/forgotten', { email })
  return linkIn((await takeMail(exchange)).find(mail => mail.kind === 'reset'))
}

describe('a password reset link', () => {
  it('stops working after the password was changed', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const link = await resetLink(agent.email)
    const page = await new Visitor(exchange).open(link)
    expect(page.status).toBe(200)
    await visitor.open('/portal/account')
    await visitor.submit('/portal/account/password', { password: PASSWORD, new_password: NEW_PASSWORD })
    expect(visitor.text).toContain('Cambiaste tu contraseña')
    await page.submit('/portal/reset', { new_password: 'the password of a thief' })
    expect(page.status).toBe(404)
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
    expect((await new Visitor(exchange).signIn(agent.email, NEW_PASSWORD)).path).toBe('/portal')
  })

  it('stops working after a later link was used', async () => {
    const { agent } = await signedInAgent(exchange)
    const first = await resetLink(agent.email)
    const second = await new Visitor(exchange).open(await resetLink(agent.email))
    await second.submit('/portal/reset', { new_password: NEW_PASSWORD })
    expect((await new Visitor(exchange).open(first)).status).toBe(404)
  })
})

describe('a common password', () => {
  it.each([
    '1234567890',
    'password12',
    'Password12',
    'PASSWORD123',
    'qwertyuiop',
    '1q2w3e4r5t',
    '1111111111',
    'aaaaaaaaaaaaaaaa',
    '12121212121',
    'abcabcabcabc',
  ])('%s is rejected', async password => {
    expect(sentences(await passwordIssues(password))).toEqual([
      'password must not be one that many people use',
    ])
  })

  it.each(['tres gatos y un perro', 'Guadalajara en invierno', 'xqzkvjwpfy', '8305519274'])(
    '%s is accepted: there are no rules about characters',
    async password => expect(await passwordIssues(password)).toEqual([]),
  )

  it('is rejected at sign-up, reset and change, with a message in the form', async () => {
    const visitor = await new Visitor(exchange).open('/portal/sign-up')
    const person = { name: 'Eva Pérez', email: 'eva@example.com', phone: '33 1234 5678' }
    await visitor.submit('/portal/sign-up', { ...person, password: '1234567890' })
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('usa mucha gente')])

    const { agent, visitor: desk } = await signedInAgent(exchange)
    await desk.open('/portal/account')
    await desk.submit('/portal/account/password', { password: PASSWORD, new_password: 'password12' })
    expect([desk.status, desk.text]).toEqual([422, expect.stringContaining('usa mucha gente')])

    const reset = await new Visitor(exchange).open(await resetLink(agent.email))
    await reset.submit('/portal/reset', { new_password: 'qwertyuiop' })
    expect([reset.status, reset.text]).toEqual([422, expect.stringContaining('usa mucha gente')])
    expect((await new Visitor(exchange).signIn(agent.email)).path).toBe('/portal')
  })

  it('is rejected on the command line too', async () => {
    const added = createAgent(exchange.db, { name: 'Ana', email: 'ana@example.mx', password: '1234567890' })
    await expect(added).rejects.toMatchObject({
      details: { issues: [issue('password', 'common_password')] },
    })
  })
})
