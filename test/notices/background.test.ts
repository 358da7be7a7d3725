import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { noStorage } from '../../src/files/storage.ts'
import { startBackground } from '../../src/jobs/background.ts'
import type { Running } from '../../src/jobs/queue.ts'
import { receiveLead } from '../../src/leads/service.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { loopbackNetwork, Receiver, until } from '../support/receiver.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
let mailDir: string
let background: Running | undefined

beforeAll(async () => {
  mailDir = join(await mkdtemp(join(tmpdir(), 'lonja-mail-')), 'mail')
})
afterAll(() => rm(join(mailDir, '..'), { recursive: true }))
afterEach(async () => {
  await background?.stop()
  background = undefined
  await exchange.pool.query('delete from graphile_worker._private_jobs')
  await rm(mailDir, { recursive: true, force: true })
})

async function start(over: { smtpUrl?: string; webhookAllowPrivate?: boolean } = {}) {
  background = await startBackground({
    files: noStorage,
    url: String(exchange.pool.options.connectionString),
    config: {
      publicUrl: PUBLIC_URL,
      smtpUrl: undefined,
      mailFrom: 'Lonja <no-reply@lonja.example>',
      mailDir,
      reconfirmDays: 60,
      idRetentionDays: 30,
      cooperationDays: 7,
      eventRetentionDays: 30,
      webhookAllowPrivate: false,
      secret: undefined,
      ...over,
    },
    logger: exchange.app.log,
    network: loopbackNetwork(),
  })
}

/** Only complete ones: a message has another name until it is written. */
const files = async () => (await readdir(mailDir).catch(() => [])).filter(name => name.endsWith('.eml'))
const jobs = async () =>
  (await exchange.pool.query('select attempts, run_at, last_error from graphile_worker._private_jobs')).rows
const runNow = () => exchange.pool.query('update graphile_worker._private_jobs set run_at = now()')

describe('every day', () => {
  it('erases identifications of showings long ago, and forgets used forms', async () => {
    const agent = await exchange.agent()
    const days = (count: number) => new Date(Date.now() - count * 86_400_000)
    const leadOf = async (tourAt: Date) => {
      const tour = { at: tourAt }
      const { id } = await receiveLead(
        exchange.db,
        agent.id,
        { value: { name: 'Eva' }, issues: [] },
        { source: 'site', tour },
      )
      const sealed = { details: Buffer.from('sealed'), picture: Buffer.from('sealed') }
      const sent = { status: 'submitted' as const, submitted_at: tourAt }
      await exchange.db
        .insertInto('identifications')
        .values({ lead_id: id, ...sealed, ...sent })
        .execute()
      return id
    }
    const [old, recent] = [await leadOf(days(31)), await leadOf(days(29))]
    const use = (hash: number, used_at: Date) =>
      exchange.db
        .insertInto('form_uses')
        .values({ hash: Buffer.alloc(32, hash), lead_id: old, used_at })
        .execute()
    await use(1, days(3))
    await use(2, days(1))
    await start()
    for (const task of ['identifications', 'clean-up']) {
      await exchange.pool.query('select graphile_worker.add_job($1)', [task])
    }
    const sealed = async () =>
      (
        await exchange.db
          .selectFrom('identifications')
          .select('lead_id')
          .where('details', 'is not', null)
          .execute()
      ).map(row => row.lead_id)
    const uses = async () => (await exchange.db.selectFrom('form_uses').select('hash').execute()).length
    await until(async () => (await sealed()).length === 1 && (await uses()) === 1)
    expect(await sealed()).toEqual([recent])
  })
})

describe('without a mail server', () => {
  it('a lead becomes a message in a file that the log names', async () => {
    await start()
    const agent = await exchange.agent({ name: 'Ana Núñez' })
    const attack = 'Eva\r\nBcc: victim@example.com'
    await exchange.post('/leads', agent.key, {
      name: attack,
      email: 'eva@example.com',
      message: '<b>¡Hola!</b>',
    })
    await until(async () => (await files()).length === 1)
    const [name] = await files()
    expect(name).toMatch(/^\d{17}-lead-\d+\.eml$/)
    const eml = await readFile(join(mailDir, String(name)), 'utf8')
    const [head = '', body = ''] = eml.split(/\n\n(.*)/s)
    expect(head).toMatch(/^From: Lonja <no-reply@lonja\.example>$/m)
    expect(head).toContain(`<${agent.email}>`)
    expect(head).toMatch(/^Reply-To: .*<eva@example\.com>$/m)
    expect(head).toMatch(/^Message-ID: <notice-\d+@lonja\.example>$/im)
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(head).not.toMatch(/^Bcc:/im)
    expect(body).toMatch(/Content-Type: text\/plain; charset=utf-8/)
    expect(body).toMatch(/Content-Type: text\/html; charset=utf-8/)
    await until(() => exchange.log.some(line => line.includes(String(name))))
    expect(exchange.log.join('')).not.toMatch(/eva@example\.com|victim|Hola/)
    expect(await jobs()).toEqual([])
  })

  it('a verified license is mailed once', async () => {
    await start()
    const agent = await exchange.agent({ verified: false })
    await setVerified(exchange.db, agent.email, true)
    await setVerified(exchange.db, agent.email, true)
    await until(async () => (await files()).length === 1)
    await sleep(100)
    expect(await files()).toEqual([expect.stringMatching(/-licence-\d+\.eml$/)])
  })

  it('a receiver that fails five times in a row is reported by mail, without its path', async () => {
    await start()
    const agent = await exchange.agent()
    const receiver = await new Receiver().listen()
    receiver.answer = (_request, response) => void response.writeHead(500).end()
    await subscribe(exchange, agent, receiver.url('/hook?token=secreto'))
    for (let i = 0; i < 6; i++) await exchange.published(agent)
    await until(async () => (await files()).length === 1)
    await receiver.close()
    const eml = await readFile(join(mailDir, String((await files())[0])), 'utf8')
    expect(eml).toContain('hook.example')
    expect(eml).toContain('http 5xx')
    expect(eml).not.toContain('secreto')
  })

  it('a lead that was erased before its mail was written is not mailed', async () => {
    const agent = await exchange.agent()
    const { body } = await exchange.post('/leads', agent.key, { name: 'Eva' })
    await exchange.db.deleteFrom('leads').where('id', '=', body.id).execute()
    await start()
    await until(async () => (await jobs()).length === 0)
    expect(await files()).toEqual([])
  })
})

describe('with a mail server', () => {
  interface Server {
    url: string
    messages: string[]
    refuse: boolean
    close(): Promise<void>
  }

  async function openServer(port = 0): Promise<Server> {
    const messages: string[] = []
    const state = { refuse: false }
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        const chunks: Buffer[] = []
        stream.on('data', chunk => chunks.push(chunk))
        stream.on('end', () => {
          if (state.refuse)
            return done(Object.assign(new Error('busy ana@example.mx'), { responseCode: 451 }))
          messages.push(Buffer.concat(chunks).toString())
          done()
        })
      },
    })
    await new Promise<void>(done => void smtp.listen(port, '127.0.0.1', done))
    const { port: bound } = smtp.server.address() as { port: number }
    return {
      url: `smtp://127.0.0.1:${bound}`,
      messages,
      get refuse() {
        return state.refuse
      },
      set refuse(value) {
        state.refuse = value
      },
      close: () => new Promise(done => smtp.close(() => done())),
    }
  }

  it('the message reaches it', async () => {
    const server = await openServer()
    await start({ smtpUrl: server.url })
    const agent = await exchange.agent()
    await exchange.post('/leads', agent.key, { name: 'Eva' })
    await until(() => server.messages.length === 1)
    await background?.stop()
    background = undefined
    await server.close()
    expect(server.messages[0]).toContain(`<${agent.email}>`)
    expect(server.messages[0]).toMatch(/Subject: Nuevo prospecto: Eva/)
    expect(await files()).toEqual([])
  })

  it('a message it rejects fails no request, is kept, and is delivered once later', async () => {
    const server = await openServer()
    server.refuse = true
    await start({ smtpUrl: server.url })
    const agent = await exchange.agent()
    expect((await exchange.post('/leads', agent.key, { name: 'Eva' })).status).toBe(201)
    await until(async () => (await jobs())[0]?.last_error)
    const [job] = await jobs()
    expect(job.attempts).toBe(1)
    expect(job.run_at.getTime()).toBeGreaterThan(Date.now())
    expect(exchange.log.join('')).toMatch(/"responseCode":451/)
    expect(exchange.log.join('')).not.toContain('ana@example.mx')
    server.refuse = false
    await runNow()
    await until(() => server.messages.length === 1)
    await until(async () => (await jobs()).length === 0)
    await server.close()
  })

  it('a message is kept while the server is down, even across a restart of the worker', async () => {
    const probe = createServer()
    await new Promise<void>(done => probe.listen(0, '127.0.0.1', done))
    const { port } = probe.address() as { port: number }
    await new Promise(done => probe.close(done))
    await start({ smtpUrl: `smtp://127.0.0.1:${port}` })
    const agent = await exchange.agent()
    await exchange.post('/leads', agent.key, { name: 'Eva' })
    await until(async () => (await jobs())[0]?.attempts === 1 && (await jobs())[0]?.last_error)
    await background?.stop()
    const server = await openServer(port)
    await start({ smtpUrl: server.url })
    await runNow()
    await until(() => server.messages.length === 1)
    await server.close()
  })
})

describe('the queue', () => {
  it('takes over the jobs of a process that died', async () => {
    const agent = await exchange.agent()
    await exchange.post('/leads', agent.key, { name: 'Eva' })
    await exchange.pool.query(
      `update graphile_worker._private_jobs
       set locked_at = now() - interval '6 minutes', locked_by = 'dead', attempts = 1`,
    )
    await start()
    await until(async () => (await files()).length === 1)
  })

  it('continues, and so do webhooks, after the database closed every connection', async () => {
    await start()
    const agent = await exchange.agent()
    const receiver = await new Receiver().listen()
    await subscribe(exchange, agent, receiver.url())
    const listing = await exchange.listing(agent)
    for (let i = 0; i < 3; i++) {
      await exchange.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      await sleep(200)
    }
    expect((await exchange.post('/leads', agent.key, { name: 'Eva' })).status).toBe(201)
    expect((await exchange.post(`/properties/${listing.id}/publish`, agent.key)).status).toBe(200)
    // The queue restarts five seconds after each cut.
    await until(async () => receiver.received.length === 1 && (await files()).length === 1, 40_000)
    await receiver.close()
  }, 60_000)

  it('warns at startup when webhooks may reach private addresses', async () => {
    await start({ webhookAllowPrivate: true })
    expect(exchange.log.some(line => line.includes('LONJA_WEBHOOK_ALLOW_PRIVATE is on'))).toBe(true)
  })
})
