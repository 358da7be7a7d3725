import { describe, expect, it } from 'vitest'
import { mayTry, openThrottle } from '../../src/agents/accounts/throttle.ts'
import { localLimits } from '../../src/http/rate-limit.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

let ahead = 0
const now = () => Date.now() + ahead
const throttle = openThrottle(localLimits(now))
const exchange = useExchange({ now, throttle })

const WRONG = 'wrong wrong wrong'
const from = (address: string) => Object.assign(new Visitor(exchange), { address })
const signedIn = (visitor: Visitor) => visitor.path === '/portal'

/** Uses up the ten attempts of one address. */
async function attack(agent: TestAgent, address = '192.0.2.1', tries = 11): Promise<Visitor> {
  const stranger = from(address)
  for (let i = 0; i < tries; i++) await stranger.signIn(agent.email, WRONG)
  return stranger
}

/** Uses up all attempts on an account, from twenty addresses. Only counted: a real attempt is slow by design. */
async function attackFromEverywhere({ email }: TestAgent, network = '198.51.100'): Promise<void> {
  for (let i = 0; i < 200; i++) await mayTry(throttle, email, `${network}.${i % 20}`)
  expect(await mayTry(throttle, email, `${network}.200`)).toBe(false)
}

const idOf = ({ cookies }: Visitor) => cookies.get('__Host-device')?.replace(/\.[^.]*$/, '')
const newAgent = () => exchange.agent({ password: PASSWORD })

describe('failed sign-ins by a stranger', () => {
  it('block the stranger, even with the right password, but no other address', async () => {
    const agent = await newAgent()
    const stranger = await attack(agent)
    expect(stranger.status).toBe(429)
    expect((await stranger.signIn(agent.email)).status).toBe(429)
    expect(signedIn(await from('192.0.2.2').signIn(agent.email))).toBe(true)
  })

  it('block the whole IPv6 /64 network, but no other network', async () => {
    const agent = await newAgent()
    await attack(agent, '2001:db8:1:1::1')
    expect((await from('2001:db8:1:1:ffff::9').signIn(agent.email)).status).toBe(429)
    expect(signedIn(await from('2001:db8:1:2::1').signIn(agent.email))).toBe(true)
  })

  it('do not keep a signed-in agent from changing the password or creating a key', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await attackFromEverywhere(agent)
    await attack(agent, visitor.address, 1)
    await visitor.open('/portal/keys')
    await visitor.submit('/portal/keys', { label: 'mine', scopes: 'read', password: PASSWORD })
    expect(visitor.status).toBe(200)
    await visitor.open('/portal/account')
    const fields = { password: PASSWORD, new_password: 'another long phrase of mine' }
    await visitor.submit('/portal/account/password', fields)
    expect([visitor.status, visitor.path]).toEqual([200, '/portal/account'])
  })

  it('from many addresses block unknown browsers after two hundred', async () => {
    const agent = await newAgent()
    await attackFromEverywhere(agent)
    expect((await from('203.0.113.1').signIn(agent.email)).status).toBe(429)
    const other = await newAgent()
    expect(signedIn(await from('203.0.113.1').signIn(other.email))).toBe(true)
  })

  it('do not lock out a browser that was signed in before, from any address', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.submit('/portal/sign-out')
    await attackFromEverywhere(agent)
    await attack(agent, visitor.address, 1)
    for (let i = 0; i < 50; i++) throttle.address.take(visitor.address)
    expect((await from(visitor.address).signIn(agent.email)).status).toBe(429)
    expect(signedIn(await visitor.signIn(agent.email))).toBe(true)
  })

  it('are cleared by a password reset, for its browser and its address', async () => {
    const agent = await newAgent()
    await attackFromEverywhere(agent)
    await attack(agent, '203.0.113.9', 1)
    await takeMail(exchange)
    const owner = await from('203.0.113.9').open('/portal/forgotten')
    await owner.submit('/portal/forgotten', { email: agent.email })
    await owner.open(linkIn((await takeMail(exchange)).at(-1)))
    await owner.submit('/portal/reset', { new_password: 'another long phrase of mine' })
    expect(owner.path).toBe('/portal/sign-in')
    expect(signedIn(await from('203.0.113.9').signIn(agent.email, 'another long phrase of mine'))).toBe(true)
    await attackFromEverywhere(agent, '198.51.101')
    expect(signedIn(await owner.signIn(agent.email, 'another long phrase of mine'))).toBe(true)
  })
})

describe('the cookie of a known browser', () => {
  it('identifies no one, lasts a year and is hidden from scripts', async () => {
    const agent = await newAgent()
    const visitor = await from('203.0.113.20').open('/portal/sign-in')
    await visitor.request('POST', '/portal/sign-in', {
      payload: new URLSearchParams({
        _token: visitor.token,
        email: agent.email,
        password: PASSWORD,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const cookies = [visitor.headers['set-cookie']].flat() as string[]
    const [device = ''] = cookies.filter(one => one.startsWith('__Host-device='))
    expect(device).toMatch(
      /^__Host-device=[0-9a-z]+\.[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=31536000$/,
    )
    const content = Buffer.from(device.split('=')[1] ?? '', 'base64url').toString('latin1')
    for (const secret of [agent.id, agent.email, agent.slug]) expect(device + content).not.toContain(secret)
  })

  it.each([
    ['of another account', async () => (await signedInAgent(exchange)).visitor.cookies.get('__Host-device')],
    ['that is forged', async () => `${Date.now().toString(36)}.${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['that is malformed', async () => '"\0;'],
  ])('%s bypasses nothing', async (_what, cookieOf) => {
    const agent = await newAgent()
    await attack(agent, '203.0.113.30')
    const stranger = from('203.0.113.30')
    stranger.cookies.set('__Host-device', (await cookieOf()) ?? '')
    expect((await stranger.signIn(agent.email)).status).toBe(429)
  })

  it('gives a thief no more than ten attempts', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const thief = from('203.0.113.40')
    thief.cookies.set('__Host-device', visitor.cookies.get('__Host-device') as string)
    // Ten for the browser, ten for the address.
    for (let i = 0; i < 9; i++) throttle.account.take(`device ${idOf(thief)}`)
    for (let i = 0; i < 9; i++) await mayTry(throttle, agent.email, thief.address)
    for (let i = 0; i < 2; i++) expect((await thief.signIn(agent.email, WRONG)).status).toBe(422)
    expect((await thief.signIn(agent.email)).status).toBe(429)
  })

  it('expires after a year', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.submit('/portal/sign-out')
    // Must be the last test: it moves the clock.
    ahead = 365 * 86_400_000 + 1
    await attack(agent, visitor.address)
    expect((await visitor.signIn(agent.email)).status).toBe(429)
  })
})
