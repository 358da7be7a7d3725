import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lonja } from '../../src/cli/command-line.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Finished, type RunningLonja, useInstallation } from '../support/installation.ts'
import { Visitor } from '../support/visitor.ts'

// Some commands run as separate processes.
vi.setConfig({ testTimeout: 60_000 })

const installed = useInstallation()
const exchange = useExchange()

const data = () => ({
  DATABASE_URL: exchange.pool.options.connectionString as string,
  LONJA_WEBHOOK_ALLOW_PRIVATE: '1',
})
/** In this process; the commands that run as processes below cover bin/lonja itself. */
async function run(line: string, settings: Record<string, string> = data(), input = ''): Promise<Finished> {
  const said: string[] = []
  const remarked: string[] = []
  const code = await lonja(line.split(' '), {
    settings: () => settings,
    print: text => said.push(`${text}\n`),
    remark: text => remarked.push(`${text}\n`),
    input: () => input,
  })
  return { code, stdout: said.join(''), stderr: remarked.join('') }
}
const runProcess = (line: string, settings: Record<string, string>) =>
  installed.lonja.run(line.split(' '), settings)

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function json(line: string, settings?: Record<string, string>): Promise<any> {
  const end = await run(`${line} --json`, settings)
  expect(end, end.stderr).toMatchObject({ code: 0 })
  return JSON.parse(end.stdout)
}

/** One clear sentence on standard error, nothing on standard output, exit code 1. */
async function refusal(line: string, settings?: Record<string, string>): Promise<string> {
  const end = await run(line, settings)
  expect(end).toMatchObject({ code: 1, stdout: '' })
  expect(end.stderr).toMatch(/^[^\n]+\n$/)
  return end.stderr.trim()
}

describe.each(['no server', 'a server'])('with %s running on the same data', world => {
  const email = `beatriz-${randomUUID()}@example.mx`
  let server: RunningLonja | undefined
  let base: string
  let created: { key: string; prefix: string }
  let owner: TestAgent

  beforeAll(async () => {
    owner = await exchange.agent()
    if (world === 'no server') return
    server = installed.lonja.start(['serve'], { ...data(), PUBLIC_URL: 'https://lonja.example', PORT: '0' })
    base = `http://127.0.0.1:${(await server.says(/"port":(\d+).*listening/))[1]}`
  })
  afterAll(async () => {
    if (server) expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  const statusOfMe = async () =>
    (await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${created.key}` } })).status

  it('migrate and agent create report what they did', async () => {
    const [migrated, agent] = await Promise.all([
      json('migrate'),
      json(`agent create --name Beatriz --email ${email} --phone 3312345678 --agency Faro --test`),
    ])
    expect(migrated).toEqual({ applied: [] })
    expect(agent).toMatchObject({ email, name: 'Beatriz', verified: false, test: true })
  })

  it('agent verify, agent operator and key create work for that agent', async () => {
    const [verified, operator, key] = await Promise.all([
      json(`agent verify ${email}`),
      json(`agent operator ${email}`),
      json(`key create --agent ${email} --label Sitio --scopes read,write`),
    ])
    expect(verified).toMatchObject({ email, verified: true })
    expect(operator).toMatchObject({ email, operator: true })
    expect(key).toMatchObject({ key: expect.stringMatching(/^svc_\w{8}_\w{48}$/), scopes: ['read', 'write'] })
    expect(key.prefix).toBe(key.key.slice(4, 12))
    created = key
    if (server) expect(await statusOfMe()).toBe(200)
  })

  it('agent list and key list show what was created, in the terms of the commands that created it', async () => {
    const [agents, keys] = await Promise.all([json('agent list'), json('key list')])
    expect(agents.find((agent: { email: string }) => agent.email === email)).toMatchObject({
      agency: 'Faro',
      verified: true,
      verified_at: expect.any(String),
      test: true,
    })
    const key = keys.find(({ prefix }: { prefix: string }) => prefix === created.prefix)
    expect(key).toMatchObject({ agent: email, label: 'Sitio', scopes: ['read', 'write'], revoked_at: null })
    expect(JSON.stringify(keys)).not.toContain(created.key)
  })

  it('key revoke accepts a whole key and does not repeat it; agent unverify reverts agent verify', async () => {
    const end = await run(`key revoke ${created.key} --json`)
    expect(JSON.parse(end.stdout)).toEqual({ prefix: created.prefix, revoked: true })
    expect(end.stdout + end.stderr).not.toContain(created.key.slice(13))
    if (server) expect(await statusOfMe()).toBe(401)
    expect(await json(`agent unverify ${email}`)).toMatchObject({ email, verified: false })
  })

  it('listing feature, import-mark and suspend set what only the operator can', async () => {
    const { id, slug } = await exchange.published(owner)
    const [featured, imported] = await Promise.all([
      json(`listing feature ${slug}`),
      json(`listing import-mark ${id}`),
    ])
    expect(featured).toMatchObject({ id, slug, featured: true })
    expect(imported).toMatchObject({ id, imported: true })
    expect(await json(`listing suspend ${id}`)).toMatchObject({ id, status: 'suspended' })
    const row = await exchange.db
      .selectFrom('listings')
      .select(['featured', 'imported', 'status'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ featured: true, imported: true, status: 'suspended' })
  })
})

describe('--off', () => {
  it('reverts a listing’s flags', async () => {
    const { id, slug } = await exchange.published(await exchange.agent())
    await json(`listing feature ${id}`)
    expect(await json(`listing feature ${id} --off`)).toMatchObject({ id, featured: false })
    expect(await refusal(`listing suspend ${id} --off`)).toBe(`The listing ${slug} is not suspended.`)
  })
})

describe('a person who asks for their data', () => {
  it('is found, exported and erased by email address, each time in the audit log without it', async () => {
    const agent = await exchange.agent()
    const email = `rosa-${randomUUID()}@example.mx`
    await exchange.post('/leads', agent.key, { name: 'Rosa Elena Cárdenas', email, message: 'Hola' })
    expect(await json(`person find ${email}`)).toMatchObject([{ name: 'Rosa Elena Cárdenas' }])
    expect(JSON.stringify(await json(`person export ${email}`))).toContain('Hola')
    const settings = { ...data(), LONJA_DATA: installed.lonja.folder }
    expect(await json(`person erase ${email}`, settings)).toMatchObject({ leads: 1, alerts: 0 })
    expect(await json(`person find ${email}`)).toEqual([])
    const log = await exchange.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', 'like', 'person%')
      .execute()
    expect(log.length).toBeGreaterThanOrEqual(4)
    expect(JSON.stringify(log)).not.toContain(email)
  })
})

describe('the password of a new agent', () => {
  const secret = 'cuatro-caballos-verdes'
  const create = (more: string, settings: Record<string, string>, input?: string) => {
    const email = `clara-${randomUUID()}@example.mx`
    return { email, end: run(`agent create --name Clara --email ${email} ${more}`, settings, input) }
  }
  const pathAfterSignIn = async (email: string) => {
    const visitor = await new Visitor(exchange).signIn(email, secret)
    return visitor.path
  }

  it.each([
    ['--password-stdin', '--password-stdin', {}, `${secret}\nnot this line\n`],
    ['LONJA_PASSWORD', '--verified', { LONJA_PASSWORD: secret }, ''],
  ])('is read from %s without a warning', async (_name, more, settings, input) => {
    const { email, end } = create(more, { ...data(), ...settings }, input)
    expect(await end).toMatchObject({ code: 0, stderr: '' })
    expect(await pathAfterSignIn(email)).toBe('/portal')
  })

  it('is visible to others as an argument, which causes a warning', async () => {
    const { end } = create(`--password ${secret}`, data())
    expect((await end).stderr).toContain('--password-stdin')
  })

  it('that is empty on standard input is rejected', async () => {
    const { end } = create('--password-stdin', data(), '\n')
    expect(await end).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('webhooks', () => {
  it('are added, listed and removed like everything else', async () => {
    const { email } = await exchange.agent()
    const { id, secret } = await json(`webhook add --agent ${email} --url http://127.0.0.1:9999/hook`)
    expect(secret).toMatch(/^whsec_/)
    expect(await json(`webhook list --agent ${email}`)).toMatchObject([{ id, active: true }])
    expect(await json(`webhook remove ${id}`)).toEqual({ id, removed: true })
  })
})

describe('the embedded database', () => {
  it('is created by the first command, which says so next to its result', async () => {
    const settings = { LONJA_DATA: join(installed.lonja.folder, 'embedded') }
    const first = await runProcess('migrate --json', settings)
    expect(JSON.parse(first.stdout).applied).toContain('0001_exchange.sql')
    expect(first.stderr).toMatch(
      /^Creating the database in ".*embedded"\nApplying migration 0001_exchange\.sql\n/,
    )

    const server = installed.lonja.start(['serve'], {
      ...settings,
      PUBLIC_URL: 'https://lonja.example',
      PORT: '0',
    })
    await server.says(/listening/)
    const joined = await runProcess('agent create --name Luz --email luz@example.mx --json', settings)
    expect(joined).toMatchObject({ code: 0, stderr: '' })
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    const listed = await runProcess('agent list --json', settings)
    expect(JSON.parse(listed.stdout)).toMatchObject([{ email: 'luz@example.mx' }])
  })
})

describe('the process', () => {
  it('exits with 0 and a result, or with 1 and a sentence on standard error', async () => {
    const [version, refused] = await Promise.all([runProcess('--version', {}), runProcess('agents', {})])
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown command [^\n]+\n$/),
    })
  })

  it('reads a .env file next to it, which environment variables override', async () => {
    await writeFile(join(installed.lonja.folder, '.env'), 'DATABASE_URL=mysql://nobody\nPORT=ninety\n')
    const end = await runProcess('agent list', { PORT: '3000' })
    await rm(join(installed.lonja.folder, '.env'))
    expect(end).toEqual({ code: 1, stdout: '', stderr: 'DATABASE_URL must be a postgres:// address.\n' })
  })
})

describe('a failure', () => {
  it('is one sentence: an agent who already exists, even when two are created at once', async () => {
    const create = 'agent create --name Rosa --email rosa@example.mx'
    const ends = await Promise.all([run(create), run(create)])
    expect(ends.map(end => end.code).sort()).toEqual([0, 1])
    const text = 'There is already an agent with the email rosa@example.mx.\n'
    expect(ends.map(end => end.stderr).sort()).toEqual(['', text])
  })

  it.concurrent.each([
    ['key revoke Unknown1', 'There is no key with the prefix Unknown1.'],
    ['listing feature no-such-listing', 'There is no listing no-such-listing.'],
  ])('%s', async (line, sentence) => {
    expect(await refusal(line)).toBe(sentence)
  })

  it('reports every problem of a new agent, one line each', async () => {
    const end = await run('agent create --name Eva --email eva --phone 12 --license-state Texas --password x')
    expect(end.code).toBe(1)
    const names = end.stderr
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0])
    expect(names).toEqual(['email', 'phone', 'license-state', 'password'])
  })

  it('never repeats what may be the secret of a key', async () => {
    const mistyped = `svc_Demo_${'x'.repeat(48)}`
    const said = await refusal(`key revoke ${mistyped}`)
    expect(said).toContain('PREFIX must be')
    expect(said).not.toContain('xxxx')
  })

  it('includes a database that does not respond', async () => {
    const settings = { DATABASE_URL: 'postgres://lonja:secreto@127.0.0.1:1/lonja' }
    expect(await refusal('agent list', settings)).toMatch(
      /^PostgreSQL cannot be reached \(.*\): check DATABASE_URL\.$/,
    )
  })
})

describe('usage', () => {
  const seeHelp = '"lonja --help" lists the commands.'

  it.concurrent.each([
    ['constructor', 'Unknown command "constructor".'],
    ['agent toString', 'Unknown command "agent toString".'],
    ['serve --json', "Unknown option '--json'."],
    ['agent create --email a@b.mx', 'Missing: --name.'],
    ['agent create --name --email a@b.mx', "Option '--name' argument is ambiguous."],
    ['agent list extra', 'Unexpected: extra.'],
    ['key revoke', 'Give exactly one PREFIX.'],
  ])('rejects "%s" in one sentence', async (line, sentence) => {
    expect(await refusal(line, {})).toBe(`${sentence} ${seeHelp}`)
  })

  it('shows the version and, at any level, the available commands', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const lines = ['--version', '--help', 'agent', 'agent --help']
    const ends = await Promise.all(lines.map(line => run(line, {})))
    for (const end of ends) expect(end).toMatchObject({ code: 0, stderr: '' })
    const [plain, all, noun, nounHelp] = ends.map(end => end.stdout)
    expect(plain).toBe(`${version}\n`)
    expect(all).toMatch(/lonja serve.*lonja key revoke PREFIX.*lonja openapi/s)
    expect(noun).toBe(nounHelp)
    expect(noun?.match(/^ {2}lonja agent /gm)?.length).toBeGreaterThan(4)
    expect(noun).not.toContain('lonja key')
  })

  it('distinguishes demo from demo close, which does nothing without a demo', async () => {
    expect((await run('demo --help', {})).stdout).toMatch(/lonja demo\n.*lonja demo close\n/s)
    // It tries to start, and finds data other than the demo's.
    await exchange.agent()
    expect(await refusal('demo')).toMatch(/holds other data than the demo/)
    expect((await run('demo close')).stdout).toBe('Nothing was open.\n')
  })

  it('prints the API description without any data', async () => {
    const description = await json('openapi', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(description).toMatchObject({ openapi: '3.0.3', paths: { '/properties': {} } })
  })
})
