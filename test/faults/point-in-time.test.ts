import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lonja } from '../../src/cli/command-line.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { ask, until } from '../support/standby.ts'

/** An operator's own PostgreSQL: Debian's, with its tools. It does not run as root. */
const asPostgres = (program: string, args: string[]) =>
  ['runuser', ['-u', 'postgres', '--', program, ...args]] as const
let bin: string
let home: string
beforeAll(async () => {
  const [newest] = (await readdir('/usr/lib/postgresql')).sort((a, b) => Number(b) - Number(a))
  bin = `/usr/lib/postgresql/${newest}/bin`
  home = await mkdtemp(join(tmpdir(), 'lonja-recovery-'))
  await chmod(home, 0o755)
  execFileSync('chown', ['postgres', home])
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** The blocks of the procedure in the documentation, with the folders of this test. */
async function documented(): Promise<string[]> {
  const text = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const section = text.split('### To a point in time\n')[1]?.split('\n#')[0] ?? ''
  return [...section.matchAll(/```\w+\n(.*?)```/gs)].map(([, block = '']) =>
    block.replaceAll('/var/backups', home),
  )
}

const run = (program: string, args: string[]) =>
  execFileSync(...asPostgres(join(bin, program), args), { cwd: '/' })

async function start(folder: string) {
  const port = await freePort('127.0.0.1')
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${home}`,
  ]
  const [command, args] = asPostgres(join(bin, 'postgres'), ['-D', folder, ...settings])
  const child = spawn(command, args, { cwd: '/', stdio: 'ignore' })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(async () => (await ask(url, 'select pg_is_in_recovery()'))[0] === false)
  const stop = async () => {
    const exit = once(child, 'exit')
    run('pg_ctl', ['stop', '-D', folder, '-m', 'fast'])
    await exit
  }
  return { url, port, stop }
}

async function agents(url: string, ...line: string[]): Promise<string[]> {
  const said: string[] = []
  const terminal = {
    settings: () => ({ DATABASE_URL: url }),
    print: (text: string) => said.push(text),
    remark() {},
  }
  expect(await lonja([...(line.length > 0 ? line : ['agent', 'list']), '--json'], terminal)).toBe(0)
  const data = JSON.parse(said.join(''))
  return Array.isArray(data) ? data.map(({ email }) => email) : [data.email]
}
const addAgent = (url: string, email: string) =>
  agents(url, 'agent', 'create', '--name', 'Ana', '--email', email)

it('the documented recovery brings the exchange back to a moment after the base backup', async () => {
  const [archive = '', baseBackup = '', recovery = ''] = await documented()
  const [data, base] = [join(home, 'data'), join(home, 'base')]
  await mkdir(join(home, 'wal'))
  await chmod(join(home, 'wal'), 0o777)
  run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
  await appendFile(join(data, 'postgresql.conf'), archive)
  const before = await start(data)
  await addAgent(before.url, 'first@lonja.example')
  const [program = '', ...args] = baseBackup.trim().split(' ')
  run(program, [...args, '-h', '127.0.0.1', '-p', String(before.port), '-U', 'postgres'])
  await addAgent(before.url, 'second@lonja.example')
  const [moment = ''] = await ask<string>(before.url, 'select clock_timestamp()::text')
  await addAgent(before.url, 'too-late@lonja.example')
  await ask(before.url, 'select pg_switch_wal()')
  await before.stop()

  await appendFile(join(base, 'postgresql.conf'), recovery.replace('2026-01-31 12:00:00+00', moment))
  await writeFile(join(base, 'recovery.signal'), '')
  const after = await start(base)
  expect((await agents(after.url)).sort()).toEqual(['first@lonja.example', 'second@lonja.example'])
  await addAgent(after.url, 'third@lonja.example')
  await after.stop()
})

it('pg_dump and pg_restore bring the exchange into another database', async () => {
  const data = join(home, 'dumped')
  run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'])
  const server = await start(data)
  await addAgent(server.url, 'first@lonja.example')
  const [dump, elsewhere] = [join(home, 'exchange.dump'), server.url.replace(/postgres$/, 'elsewhere')]
  run('pg_dump', ['-Fc', '-f', dump, '-d', server.url])
  await ask(server.url, 'create database elsewhere')
  run('pg_restore', ['-d', elsewhere, dump])
  expect(await agents(elsewhere)).toEqual(['first@lonja.example'])
  await addAgent(elsewhere, 'second@lonja.example')
  await server.stop()
})
