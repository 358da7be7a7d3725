import { beforeAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { lonja } from '../../src/cli/command-line.ts'
import {
  DEMO_ACCOUNTS,
  DEMO_KEYS,
  DEMO_PASSWORD,
  describeAccess,
  findDemoAccess,
} from '../../src/demo/access.ts'
import { ensureDemo, loadDemo } from '../../src/demo/load.ts'
import { useExchange } from '../support/exchange.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange()

async function run(line: string) {
  const said: string[] = []
  const code = await lonja(line.split(' '), {
    settings: () => ({ DATABASE_URL: exchange.pool.options.connectionString as string }),
    print: text => said.push(text),
    remark: text => said.push(text),
  })
  expect(code, said.join('\n')).toBe(0)
  return said.join('\n')
}

const open = async () => describeAccess(await findDemoAccess(exchange.db))
const signIn = (email: string, password = DEMO_PASSWORD) => new Visitor(exchange).signIn(email, password)

describe('demo data on a real exchange', () => {
  /** Someone who got in while it was open. */
  let intruder: Visitor
  let stolenKey: string
  let calendar: string

  const calendarStatus = async () => (await exchange.app.inject(calendar)).statusCode

  beforeAll(async () => {
    await loadDemo(exchange.db, () => {})
    intruder = await signIn(DEMO_ACCOUNTS.agent)
    await intruder.open('/portal/keys')
    await intruder.submit('/portal/keys', { label: 'mine', scopes: 'read,write', password: DEMO_PASSWORD })
    stolenKey = /svc_[0-9A-Za-z]{8}_[0-9A-Za-z]{48}/.exec(intruder.html)?.[0] as string
    expect((await exchange.get('/me', stolenKey)).status).toBe(200)
    const { calendar_key: key } = await exchange.db
      .selectFrom('agents')
      .select('calendar_key')
      .where('email', '=', DEMO_ACCOUNTS.agent)
      .executeTakeFirstOrThrow()
    calendar = `/calendario/${key}.ics`
    expect(await calendarStatus()).toBe(200)
  }, 60_000)

  it('shows a webhook with successes and failures in its log, of events that the API lists', async () => {
    await intruder.open('/portal/webhooks')
    const path = /\/portal\/webhooks\/[0-9a-f-]{36}/.exec(intruder.html)?.[0] as string
    await intruder.open(path)
    for (const status of ['ok 200', 'http 5xx 503', 'error: delivery failed'])
      expect(intruder.text).toContain(status)
    const failed = await intruder.open(`${path}?show=failed`)
    await intruder.open(/\/portal\/webhooks\/[^"]+\/deliveries\/[^"]+/.exec(failed.html)?.[0] as string)
    const { content } = (await exchange.get('/events?limit=1000', stolenKey)).body
    const { event, created_at, data } = content.findLast(
      ({ delivery }: { delivery?: { status: string } }) => delivery?.status === 'http 5xx',
    )
    expect(intruder.text).toContain(JSON.stringify({ event, created_at, data }))
    expect(intruder.text).toContain('503 Service Unavailable')
  })

  it('is reported as open even after the printed keys are revoked and the operator is demoted', async () => {
    await run('key revoke DemoRW01')
    await run('key revoke DemoRO01')
    await run(`agent operator ${DEMO_ACCOUNTS.operator} --off`)
    expect((await signIn(DEMO_ACCOUNTS.agent)).path).toBe('/portal')
    expect(await open()).toMatch(
      /^3 passwords, \d+ sessions, 1 key, 1 webhook, 1 collection, 2 widgets, 2 feeds$/,
    )
    // Every other way in, so that all are closed together.
    await setOperator(exchange.db, DEMO_ACCOUNTS.operator, true)
  })

  it('is closed by one command', async () => {
    const visitor = await new Visitor(exchange).open('/portal/forgotten')
    await visitor.submit('/portal/forgotten', { email: DEMO_ACCOUNTS.agent })
    const link = linkIn((await takeMail(exchange)).find(mail => mail.kind === 'reset'))

    const { closed } = JSON.parse(await run('demo close --json'))
    expect(closed).toMatchObject({
      passwords: 3,
      operators: 1,
      keys: 1,
      collections: 1,
      widgets: 2,
      feeds: 2,
    })
    expect(await open()).toBe('')
    for (const email of Object.values(DEMO_ACCOUNTS)) {
      const refused = await signIn(email)
      expect([refused.status, refused.path]).toEqual([422, '/portal/sign-in'])
    }
    expect((await intruder.open('/portal/keys')).path).toContain('/sign-in')
    for (const key of [stolenKey, ...Object.values(DEMO_KEYS)]) {
      expect((await exchange.get('/me', key)).status).toBe(401)
    }
    expect(await calendarStatus()).toBe(404)
    expect((await visitor.open(link)).status).toBe(404)
    expect(await run('demo close')).toBe('Nothing was open.')
  })

  it('leaves the market and every other account unchanged', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await run('demo close')
    expect((await visitor.open('/portal')).path).toBe('/portal')
    expect((await exchange.get('/me', agent.key)).status).toBe(200)
    expect((await signIn(agent.email, PASSWORD)).path).toBe('/portal')
    const { body } = await exchange.get('/properties?limit=1', agent.key)
    expect(body.pagination.total).toBeGreaterThan(1_000)
  })

  it('cannot be opened again by the demo', async () => {
    await expect(ensureDemo(exchange.db, () => {})).rejects.toThrow(/^The demo was closed on this data/)
    expect(await open()).toBe('')
  })
})
