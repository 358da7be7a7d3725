import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Values } from '../../src/cli/command.ts'
import { startReceiver } from '../../src/cli/webhook-receiver.ts'
import { webhookCommands } from '../../src/cli/webhooks.ts'
import { readConfig } from '../../src/config.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
const config = readConfig('demo', { LONJA_WEBHOOK_ALLOW_PRIVATE: '1' })
const commands = webhookCommands(
  work => work(exchange.db, config, []),
  line => printed.push(line),
)
let agent: TestAgent
const printed: string[] = []
const servers: Server[] = []

beforeAll(async () => {
  agent = await exchange.agent()
})
afterAll(() => {
  for (const server of servers) server.close()
})

// biome-ignore lint/suspicious/noExplicitAny: what commands answer has many shapes
const lonja = async (name: string, values: Record<string, string> = {}): Promise<any> =>
  (await commands[`webhook ${name}`]?.run(values as Values, {}))?.data

async function listen(secret?: string): Promise<string> {
  const server = await startReceiver({ port: 0, secret }, line => printed.push(line))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('lonja webhook', () => {
  it('takes a developer from nothing to a verified delivery', async () => {
    const probe = await listen()
    const added = await lonja('add', { agent: agent.email, url: probe })
    expect(added).toMatchObject({ url: probe, active: true, secret: expect.stringMatching(/^whsec_/) })
    expect(added.events).toHaveLength(5)
    expect(await lonja('test', { argument: added.id })).toMatchObject({ status: 'ok', code: 200 })
    expect(printed.at(-1)).toMatch(/lead\.created .*\nsignature not checked[\s\S]*"name": "Prueba \/ Test"/)

    const right = await lonja('add', {
      agent: agent.email,
      url: `${await listen('whsec_wrong')}`,
      events: 'lead.created',
    })
    expect(right.events).toEqual(['lead.created'])
    await lonja('test', { argument: right.id })
    expect(printed.at(-1)).toContain('signature INVALID')

    const { secret } = added
    const server = servers[0] as Server
    server.close()
    const again = await startReceiver({ port: Number(new URL(probe).port), secret }, line =>
      printed.push(line),
    )
    servers[0] = again
    await lonja('test', { argument: added.id })
    expect(printed.at(-1)).toContain('signature valid')

    expect((await lonja('list', { agent: agent.email })).map((row: { id: string }) => row.id)).toEqual([
      added.id,
      right.id,
    ])
    expect(await lonja('deliveries', { argument: added.id })).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
    ])
    expect(await lonja('pause', { argument: added.id })).toMatchObject({ active: false })
    expect(await lonja('resume', { argument: added.id })).toMatchObject({ active: true })
    await lonja('remove', { argument: right.id })
    expect(await lonja('list', { agent: agent.email })).toHaveLength(1)
  })

  it.each([
    ['add', { agent: 'nobody@example.mx', url: 'https://crm.example.com/' }, 'not_found'],
    ['test', { argument: 'no-id' }, 'not_found'],
    ['listen', { port: 'x' }, 'validation'],
  ])('%s refuses %j', async (name, values, kind) => {
    await expect(lonja(name, values as unknown as Record<string, string>)).rejects.toMatchObject({ kind })
  })

  it('listen shows what is no JSON and no delivery without obeying it', async () => {
    const url = await listen('whsec_x')
    await fetch(url, { method: 'POST', body: '\u001b[2Jboom' })
    expect(printed.at(-1)).toMatch(/no X-SVC-Event[\s\S]*signature MISSING\n\ufffd\[2Jboom/)
  })
})
