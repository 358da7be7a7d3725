import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { lonja } from '../../src/cli/command-line.ts'
import { diskStorage } from '../../src/files/disk.ts'
import { randomName } from '../../src/files/images.ts'
import { requireSameSecret } from '../../src/webhooks/secrets.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { useInstallation } from '../support/installation.ts'
import { databaseUrl } from '../support/postgres.ts'
import { ask, until } from '../support/standby.ts'
import { signedInAgent } from '../support/visitor.ts'

const SECRET = 'the secret of an exchange that is saved'
const installed = useInstallation()
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-backup-'))
})
const exchange = useExchange({ openFiles: () => diskStorage(join(home, 'data')) })
const settings = () => ({
  DATABASE_URL: exchange.pool.options.connectionString as string,
  LONJA_DATA: join(home, 'data'),
  LONJA_SECRET: SECRET,
})

const created: string[] = []
/** Where nothing is yet. */
async function newPlace() {
  const name = `restored_${randomName()}`
  await ask(inject('postgresUrl'), `create database ${name}`)
  created.push(name)
  return {
    DATABASE_URL: databaseUrl(inject('postgresUrl'), name),
    LONJA_DATA: join(home, name),
    LONJA_SECRET: SECRET,
  }
}
afterAll(async () => {
  for (const name of created) await ask(inject('postgresUrl'), `drop database ${name} with (force)`)
  if (home) await rm(home, { recursive: true, force: true })
})

async function run(line: string[], env: Record<string, string>) {
  const said: string[] = []
  const remarks: string[] = []
  const code = await lonja([...line, '--json'], {
    settings: () => env,
    print: text => said.push(text),
    remark: text => remarks.push(text),
  })
  return { code, data: said.length > 0 ? JSON.parse(said.join('')) : undefined, remarks: remarks.join('\n') }
}

const isUntouched = async (url: string) =>
  (await ask(url, `select to_regclass('agents') is null`))[0] as boolean

let agent: TestAgent
let photo: string
let backup: string
beforeAll(async () => {
  await requireSameSecret(exchange.db, SECRET)
  const signedIn = await signedInAgent(exchange)
  agent = signedIn.agent
  for (let i = 0; i < 5; i++) {
    const { id } = await exchange.listing(agent)
    await exchange.call('POST', `/properties/${id}/publish`, { key: agent.key })
  }
  const { id } = await exchange.listing(agent)
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c84' } })
    .jpeg()
    .toBuffer()
  await signedIn.visitor.open(`/portal/listings/${id}/photos`)
  await signedIn.visitor.submit(`/portal/listings/${id}/photos`, {}, [
    { field: 'photos', name: 'a.jpg', bytes },
  ])
  const [url] = await ask<string>(settings().DATABASE_URL, 'select url from listing_images limit 1')
  photo = url as string
  backup = join(home, 'backup')
  const made = await run(['backup', backup], settings())
  expect(made).toMatchObject({ code: 0, data: { folder: backup, files: { count: 2 } } })
})

describe('lonja backup', () => {
  it('holds neither the secret nor anything that others can read, and sums that sha256sum can check', async () => {
    const names = await readdir(join(backup, 'database'))
    expect(names.length).toBeGreaterThan(40)
    const texts = await Promise.all(names.map(name => readFile(join(backup, 'database', name))))
    const all = texts.map(text => gunzipSync(text)).join('') + (await readFile(join(backup, 'manifest.json')))
    expect(all).toContain(agent.email)
    expect(all).not.toContain(SECRET)
    expect(await readFile(join(backup, 'SHA256SUMS'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}database\//)
  })

  it('is refused in a folder that has something in it', async () => {
    const again = await run(['backup', backup], settings())
    expect([again.code, again.remarks]).toEqual([1, expect.stringContaining('is not empty')])
  })
})

describe('lonja restore', () => {
  it('brings everything back elsewhere: rows, files, keys and the digest that clients compare', async () => {
    const { body: before } = await exchange.call('GET', '/digest', { key: agent.key })
    expect(before.count).toBe(6)
    const place = await newPlace()
    expect(await run(['restore', backup], place)).toMatchObject({ code: 0, data: { secret: 'same' } })

    const server = installed.lonja.start(['serve', '--role', 'web'], {
      ...place,
      PUBLIC_URL: 'https://lonja.example',
      PORT: '0',
    })
    const base = `http://127.0.0.1:${(await server.says(/"port":(\d+)/))[1]}`
    await until(async () => (await fetch(`${base}/ready`)).status === 200)
    const answer = await fetch(`${base}/api/v1/digest`, { headers: { authorization: `Bearer ${agent.key}` } })
    const after = (await answer.json()) as typeof before
    expect([after.count, after.hash]).toEqual([before.count, before.hash])
    const shown = await fetch(base + photo)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual((await exchange.app.inject(photo)).rawPayload)

    const refused = await run(['restore', backup], place)
    expect([refused.code, refused.remarks]).toEqual([1, expect.stringContaining('stop every process first')])
    await server.stop()
    const full = await run(['restore', backup], place)
    expect([full.code, full.remarks]).toEqual([1, expect.stringContaining('The database is not empty')])
  })

  it('says which secret is needed if it is another', async () => {
    const place = { ...(await newPlace()), LONJA_SECRET: 'another secret of more than 32 characters' }
    expect(await run(['restore', backup], place)).toMatchObject({ code: 0, data: { secret: 'different' } })
  })

  it.each<[string, (folder: string) => Promise<void>, string]>([
    ['without its manifest', folder => rm(join(folder, 'manifest.json')), 'no complete backup'],
    ['with half a manifest', folder => truncate(join(folder, 'manifest.json'), 500), 'is damaged'],
    [
      'with a truncated table',
      folder => truncate(join(folder, 'database/public.listings.copy.gz'), 40),
      'differs from its checksum',
    ],
    [
      'without a table',
      folder => rm(join(folder, 'database/public.agents.copy.gz')),
      'public.agents.copy.gz is missing',
    ],
    [
      'with another file',
      folder => writeFile(join(folder, 'files/media/new.webp'), 'x'),
      'is not part of it',
    ],
    [
      'made by a newer version',
      async folder => {
        const path = join(folder, 'manifest.json')
        const manifest = JSON.parse(await readFile(path, 'utf8'))
        manifest.migrations.push('9999_later.sql')
        await writeFile(path, JSON.stringify(manifest))
      },
      'does not know',
    ],
  ])('rejects a backup %s before anything is written', async (_what, damage, sentence) => {
    const folder = join(home, `damaged-${randomName()}`)
    await cp(backup, folder, { recursive: true })
    await damage(folder)
    const place = await newPlace()
    const { code, remarks } = await run(['restore', folder], place)
    expect([code, remarks]).toEqual([1, expect.stringContaining(sentence)])
    expect(await isUntouched(place.DATABASE_URL)).toBe(true)
    expect(await readdir(place.LONJA_DATA).catch(() => [])).toEqual([])
  })

  it('killed in the middle leaves an empty exchange, into which it can be repeated', async () => {
    const place = await newPlace()
    await run(['migrate'], place)
    const blocker = new pg.Client({ connectionString: place.DATABASE_URL })
    blocker.on('error', () => {})
    await blocker.connect()
    await blocker.query('begin; lock table widgets in access share mode')
    const restoring = installed.lonja.start(['restore', backup], place)
    const waiting = `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await ask(place.DATABASE_URL, waiting))[0] === 1)
    await restoring.stop('SIGKILL')
    await blocker.end()
    await until(async () => (await ask(place.DATABASE_URL, waiting))[0] === 0)
    expect(await ask(place.DATABASE_URL, 'select count(*)::int from agents')).toEqual([0])
    await until(async () => (await run(['restore', backup], place)).code === 0)
    expect(await ask(place.DATABASE_URL, 'select count(*)::int from listings')).toEqual([6])
  })
})
