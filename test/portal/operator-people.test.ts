import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import type { Values } from '../../src/cli/command.ts'
import { personCommands } from '../../src/cli/persons.ts'
import { readConfig } from '../../src/config.ts'
import { useExchange } from '../support/exchange.ts'
import { signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const mailDir = mkdtempSync(join(tmpdir(), 'lonja-mail-'))
const exchange = useExchange({ mailDir })
const HERE = '/portal/operator/people'

afterAll(() => rm(mailDir, { recursive: true }))

const commands = personCommands(work => work(exchange.db, { ...readConfig('demo', {}), mailDir }, []))
const lonja = async (name: string, argument: string) =>
  (await commands[`person ${name}`]?.run({ argument } as Values, {}))?.data

async function operator() {
  const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga Operadora' })
  await setOperator(exchange.db, agent.email, true)
  return { agent, visitor }
}

/** Someone who wrote to two agents. */
async function person() {
  const email = `eva-${randomUUID()}@example.com`
  const agents = [await exchange.agent(), await exchange.agent()]
  for (const { key } of agents) await exchange.post('/leads', key, { name: 'Eva Arco', email })
  return { email, agents }
}

const entries = (operatorId: string | null) =>
  exchange.db
    .selectFrom('audit_log')
    .select(['action', 'subject', 'subject_id', 'note'])
    .where('operator_id', operatorId === null ? 'is' : '=', operatorId)
    .where('action', 'like', 'person.%')
    .orderBy('id')
    .execute()

describe('the screen for data requests', () => {
  it('finds, exports and erases a person, and logs each without identifying them', async () => {
    const { agent, visitor } = await operator()
    const { email, agents } = await person()
    await writeFile(join(mailDir, '1-lead-1.eml'), `To: <${agents[0]?.email}>\n\n${email}`)
    await visitor.open(HERE)
    await visitor.submit(HERE, { contact: email.toUpperCase() })
    expect(visitor.status).toBe(200)
    expect(visitor.text).toContain('Eva Arco')
    for (const one of agents) expect(visitor.text).toContain(one.email)

    const page = visitor.html
    await visitor.submit(`${HERE}/export`)
    expect(visitor.headers['content-disposition']).toContain('attachment')
    expect(JSON.parse(visitor.html)).toMatchObject([{ email }, { email }])

    visitor.html = page
    await visitor.submit(`${HERE}/erase`)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('arca la casilla')
    await visitor.submit(`${HERE}/erase`, { sure: 'on' })
    expect(visitor.text).toContain('Datos eliminados: 2 prospectos, 0 avisos y 1 archivos de correo.')
    expect(await readdir(mailDir)).toEqual([])
    await visitor.submit(HERE, { contact: email })
    expect(visitor.text).toContain('No tenemos datos de esta persona')

    const empty = { subject_id: null, note: null }
    expect(await entries(agent.id)).toEqual([
      { action: 'person.find', subject: '2', ...empty },
      { action: 'person.export', subject: '2', ...empty },
      { action: 'person.find', subject: '2', ...empty },
      { action: 'person.erase', subject: '2', ...empty, note: '.eml: 1' },
      { action: 'person.find', subject: '0', ...empty },
    ])
  })

  it('reports an invalid contact, in English too, and logs nothing', async () => {
    const { agent, visitor } = await operator()
    await exchange.db.updateTable('agents').set({ lang: 'en' }).where('id', '=', agent.id).execute()
    await visitor.open(HERE)
    await visitor.submit(HERE, { contact: 'nobody' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('nter an email address or a phone number')
    expect(await entries(agent.id)).toEqual([])
  })

  it('does not exist for agents and strangers, whose forms erase no one', async () => {
    const { email } = await person()
    const { visitor: agent } = await signedInAgent(exchange)
    for (const visitor of [agent, new Visitor(exchange)]) {
      await visitor.open('/portal/sign-in')
      const { token } = visitor
      expect((await visitor.open(HERE)).status).toBe(404)
      for (const path of [HERE, `${HERE}/export`, `${HERE}/erase`]) {
        const sent = urlencoded([
          ['_token', token],
          ['contact', email],
          ['sure', 'on'],
        ])
        await visitor.request('POST', path, sent)
        expect(visitor.status).toBe(404)
        expect(visitor.html).not.toContain(email)
      }
    }
    expect(await lonja('find', email)).toHaveLength(2)
  })
})

describe('lonja person', () => {
  it('answers with data, and each command is logged as a command-line action', async () => {
    const { email, agents } = await person()
    const before = (await entries(null)).length
    expect(await lonja('find', email)).toMatchObject(
      agents.map(agent => ({ email, agent: agent.email, notes: 0, has_document: false })),
    )
    expect(await lonja('export', email)).toMatchObject([{ email }, { email }])
    expect(await lonja('erase', email)).toEqual({ leads: 2, alerts: 0, mails: 0 })
    const logged = (await entries(null)).slice(before)
    expect(logged.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'person.find 2',
      'person.export 2',
      'person.erase 2',
    ])
    const { visitor } = await operator()
    await visitor.open('/portal/operator/audit')
    expect(visitor.text).toContain('línea de comandos')
    expect(visitor.text).not.toContain(email)
  })

  it('erases no one and logs nothing if the mail folder cannot be cleaned', async () => {
    const { email } = await person()
    const before = (await entries(null)).length
    const { eraseOnRecord } = await import('../../src/leads/operator/requests.ts')
    const fails = async () => {
      throw new Error('read-only')
    }
    await expect(eraseOnRecord(exchange.db, null, email, fails)).rejects.toThrow('read-only')
    expect(await entries(null)).toHaveLength(before)
    expect(await lonja('find', email)).toHaveLength(2)
  })
})

describe('an agent who erases a lead', () => {
  it('removes the mails about that person, and no other agent’s mail', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const email = `eva-${randomUUID()}@example.com`
    const { body } = await exchange.post('/leads', agent.key, { name: 'Eva', email })
    const put = (name: string, to: string) => writeFile(join(mailDir, name), `To: <${to}>\n\n<${email}>`)
    await put('1-lead-1.eml', agent.email)
    await put('2-inquiry-2.eml', email)
    await put('3-lead-3.eml', 'other-agent@example.mx')
    await visitor.open(`/portal/leads/${body.id}/erase`)
    await visitor.submit(`/portal/leads/${body.id}/erase`, { sure: 'on' })
    expect(visitor.status).toBe(200)
    expect(await readdir(mailDir)).toEqual(['3-lead-3.eml'])
  })
})
