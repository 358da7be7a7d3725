import { beforeEach, describe, expect, it } from 'vitest'
import { deleteUnconfirmed } from '../../src/agents/service.ts'
import { useExchange } from '../support/exchange.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

// Links in mails use the real clock.
let ahead = 0
const exchange = useExchange({ now: () => Date.now() + ahead })
beforeEach(async () => {
  ahead = 0
  await takeMail(exchange)
})
const HOUR_MS = 3_600_000

let people = 0
const newcomer = () => ({
  name: 'Elena Pérez Rosas',
  email: `elena-${++people}@example.mx`,
  phone: '33 1234 5678',
  password: PASSWORD,
})

async function signUp(fields: Record<string, string>) {
  const visitor = await new Visitor(exchange).open('/portal/sign-up')
  return visitor.submit('/portal/sign-up', fields)
}

describe('signing up', () => {
  it('asks for email confirmation; the link and the password open the account', async () => {
    const person = newcomer()
    const visitor = await signUp(person)
    expect(visitor.text).toContain('Revisa tu correo')
    const [mail] = await takeMail(exchange)
    expect(mail?.to.address).toBe(person.email)
    await visitor.open(linkIn(mail))
    await visitor.submit('/portal/confirm', { password: PASSWORD })
    expect(visitor.path).toBe('/portal/licence')
    expect(visitor.text).toContain('Tu licencia aún no está verificada.')
  })

  it('does not let in before the email is confirmed, and sends another link', async () => {
    const person = newcomer()
    const visitor = await signUp(person)
    await takeMail(exchange)
    await visitor.signIn(person.email)
    expect(visitor.path).toBe('/portal/check-mail')
    expect(await takeMail(exchange)).toHaveLength(1)
    expect((await visitor.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('shows the address the mail went to and sends it again, three times in ten minutes', async () => {
    const person = newcomer()
    const visitor = await signUp(person)
    expect(visitor.text).toContain(`el siguiente paso a ${person.email}`)
    for (let again = 0; again < 4; again++) await visitor.submit('/portal/check-mail')
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.to.address)).toEqual([person.email, person.email, person.email])
  })

  it('answers “send again” the same for an account that exists and one that does not', async () => {
    const known = await exchange.agent({ password: PASSWORD })
    const pages = []
    for (const email of [known.email, newcomer().email]) {
      const visitor = await new Visitor(exchange).open('/portal/forgotten')
      await visitor.submit('/portal/forgotten', { email })
      await visitor.submit('/portal/check-mail')
      pages.push(visitor.text.replaceAll(email, '…'))
    }
    expect(pages[0]).toContain('Lo enviamos otra vez.')
    expect(pages[1]).toBe(pages[0])
    expect((await takeMail(exchange)).every(mail => mail.to.address === known.email)).toBe(true)
  })

  it('keeps an account closed that someone created in another person’s name', async () => {
    const person = newcomer()
    await signUp({ ...person, password: 'the attacker knows this' })
    const [mail] = await takeMail(exchange)
    const owner = await new Visitor(exchange).open(linkIn(mail))
    await owner.submit('/portal/confirm', { password: 'what the owner would type' })
    expect(owner.status).toBe(422)
    const row = await find(person.email)
    expect(row?.email_confirmed_at).toBeNull()
  })

  it('answers the same for a known address, and notifies only its owner', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    await takeMail(exchange)
    const typed = agent.email.toUpperCase()
    const known = await signUp({ ...newcomer(), email: typed })
    const [mail] = await takeMail(exchange)
    const person = newcomer()
    const fresh = await signUp(person)
    expect(known.text.replace(typed, person.email)).toBe(fresh.text)
    expect(mail?.subject).toBe('Ya tienes una cuenta')
    expect(mail?.to.address).toBe(agent.email)
    expect((await find(agent.email))?.name).toBe('Ana Torres')
  })

  it.each([
    [{ name: 'E' }, 'Debe tener al menos 3 caracteres'],
    [{ email: 'not an address' }, 'nombre@ejemplo.com'],
    [{ phone: '12' }, 'Debe ser un teléfono de México'],
    [{ password: 'short' }, 'Debe tener al menos 10 caracteres'],
  ])('rejects %o next to the field and keeps the rest', async (wrong, message) => {
    const visitor = await signUp({ ...newcomer(), ...wrong })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
    if (!('name' in wrong)) expect(visitor.html).toContain('value="Elena Pérez Rosas"')
    expect(await takeMail(exchange)).toHaveLength(0)
  })

  it('each link works once, for three days', async () => {
    const person = newcomer()
    const visitor = await signUp(person)
    const link = linkIn((await takeMail(exchange))[0])
    ahead = 73 * HOUR_MS
    expect((await visitor.open(link)).text).toContain('Este enlace ya se usó o venció')
    ahead = 71 * HOUR_MS
    await visitor.open(link)
    await visitor.submit('/portal/confirm', { password: PASSWORD })
    expect(visitor.path).toBe('/portal/licence')
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
  })

  it('leaves no trace a week later if the link was never opened', async () => {
    const person = newcomer()
    await signUp(person)
    await exchange.pool.query("update agents set created_at = now() - interval '8 days' where email = $1", [
      person.email,
    ])
    const agent = await exchange.agent()
    await deleteUnconfirmed(exchange.db, 7)
    expect(await find(person.email)).toBeUndefined()
    expect(await find(agent.email)).toBeDefined()
  })

  it('never makes the new account verified, an operator or confirmed, whatever the form says', async () => {
    const person = newcomer()
    await signUp({
      ...person,
      verified_at: '2020-01-01',
      is_operator: 'on',
      email_confirmed_at: '2020-01-01',
    })
    const row = await find(person.email)
    expect(row).toMatchObject({ verified_at: null, is_operator: false, email_confirmed_at: null })
  })
})

describe('a forgotten password', () => {
  const forget = async (email: string) => {
    const visitor = await new Visitor(exchange).open('/portal/forgotten')
    return visitor.submit('/portal/forgotten', { email })
  }

  it('is replaced through a mailed link, which ends every session', async () => {
    const { agent, visitor: elsewhere } = await signedInAgent(exchange)
    await takeMail(exchange)
    const visitor = await forget(agent.email)
    const link = linkIn((await takeMail(exchange))[0])
    await visitor.open(link)
    await visitor.submit('/portal/reset', { new_password: 'a brand new password' })
    expect(visitor.path).toBe('/portal/sign-in')
    expect((await elsewhere.open('/portal')).path).toBe('/portal/sign-in')
    expect((await visitor.signIn(agent.email)).status).toBe(422)
    expect((await visitor.signIn(agent.email, 'a brand new password')).path).toBe('/portal')
    expect((await visitor.open(link)).status).toBe(404)
  })

  it('answers an unknown address with the same page and no mail', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    await takeMail(exchange)
    const known = await forget(agent.email)
    expect(await takeMail(exchange)).toHaveLength(1)
    const unknown = await forget('nobody-here@example.mx')
    expect(unknown.text.replace('nobody-here@example.mx', agent.email)).toBe(known.text)
    expect(await takeMail(exchange)).toHaveLength(0)
  })

  it('can be reset for an hour, with the newest link only', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    await takeMail(exchange)
    await forget(agent.email)
    const first = linkIn((await takeMail(exchange))[0])
    const visitor = await forget(agent.email)
    const second = linkIn((await takeMail(exchange))[0])
    expect((await visitor.open(first)).status).toBe(404)
    expect((await visitor.open(second)).status).toBe(200)
    ahead = 2 * HOUR_MS
    expect((await visitor.open(second)).status).toBe(404)
  })

  it('is not reset by a link that only confirms an address', async () => {
    const visitor = await signUp(newcomer())
    const link = linkIn((await takeMail(exchange))[0])
    expect((await visitor.open(link.replace('/confirm', '/reset'))).status).toBe(404)
  })
})

describe('the account page', () => {
  it('changes the password and ends all other sessions', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await new Visitor(exchange).signIn(agent.email)
    await visitor.open('/portal/account')
    await visitor.submit('/portal/account/password', {
      password: PASSWORD,
      new_password: 'a brand new password',
    })
    expect(visitor.text).toContain('Cambiaste tu contraseña')
    expect((await visitor.open('/portal')).path).toBe('/portal')
    expect((await other.open('/portal')).path).toBe('/portal/sign-in')
    expect((await other.signIn(agent.email, 'a brand new password')).path).toBe('/portal')
  })

  it('requires the current password', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/account')
    await visitor.submit('/portal/account/password', {
      password: 'a guess',
      new_password: 'a brand new password',
    })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('No es correcta')
  })

  it('lists the open sessions and ends one of them', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await new Visitor(exchange).signIn(agent.email)
    await visitor.open('/portal/account')
    expect(visitor.text).toContain('Firefox · Linux')
    const action = visitor.forms().find(form => /sessions\/.+\/end$/.test(form.action))?.action as string
    await visitor.submit(action)
    expect((await other.open('/portal')).path).toBe('/portal/sign-in')
    expect((await visitor.open('/portal')).path).toBe('/portal')
  })

  it('signs out everywhere', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await new Visitor(exchange).signIn(agent.email)
    await visitor.open('/portal/account')
    await visitor.submit('/portal/account/sessions/end')
    expect((await visitor.open('/portal')).path).toBe('/portal/sign-in')
    expect((await other.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('cannot end the session of another agent', async () => {
    const [one, other] = [await signedInAgent(exchange), await signedInAgent(exchange)]
    const row = await exchange.db
      .selectFrom('sessions')
      .select('id')
      .where('agent_id', '=', other.agent.id)
      .executeTakeFirstOrThrow()
    await one.visitor.request('POST', `/portal/account/sessions/${row.id}/end`, {
      payload: `_token=${one.visitor.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(one.visitor.status).toBe(404)
    expect((await other.visitor.open('/portal')).path).toBe('/portal')
  })
})

const find = (email: string) =>
  exchange.db
    .selectFrom('agents')
    .select(['name', 'verified_at', 'is_operator', 'email_confirmed_at'])
    .where('email', '=', email)
    .executeTakeFirst()
