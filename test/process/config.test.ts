import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { environment, readConfig } from '../../src/config.ts'
import { StartupError } from '../../src/lib/startup-error.ts'

const served = { PUBLIC_URL: 'https://lonja.example', LONJA_DATA: '/srv/lonja' }

function complaints(mode: 'demo' | 'serve' | 'command', env: Record<string, string>): string[] {
  try {
    readConfig(mode, env)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError)
    return (error as Error).message.split('\n')
  }
}

describe('readConfig', () => {
  it('requires nothing for the demo', () => {
    expect(readConfig('demo', {})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databaseReplicaUrl: undefined,
      databaseReplicaMaxLag: 5,
      dataDir: resolve('data'),
      logLevel: 'warn',
      trustProxy: [],
      rateLimit: 600,
      maxConnections: 2_000,
      maxConnectionsPerAddress: 200,
      keepAliveSeconds: 5,
      stopDelaySeconds: 0,
      statusPort: undefined,
      statusHost: '127.0.0.1',
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      tracesUrl: undefined,
      tracesShare: 1,
      tracesService: 'lonja',
      databasePool: 10,
      searchEngine: 'memory',
      searchSaveMinutes: 15,
      smtpUrl: undefined,
      mailFrom: 'Lonja <no-reply@localhost>',
      mailDir: resolve('data/mail'),
      reconfirmDays: 60,
      webhookAllowPrivate: false,
      secret: undefined,
      idRetentionDays: 30,
      cooperationDays: 7,
      eventRetentionDays: 30,
      privacyContact: undefined,
      uploadQuota: { files: 10_000, bytes: 2_097_152_000, unverifiedBytes: 5_242_880_000 },
    })
  })

  it('sends mail from the public host by default', () => {
    expect(readConfig('serve', served).mailFrom).toBe('Lonja <no-reply@lonja.example>')
    expect(readConfig('demo', { MAIL_FROM: 'avisos@lonja.mx' }).mailFrom).toBe('avisos@lonja.mx')
  })

  it('allows webhooks to private addresses in development, and never in production', () => {
    const env = { LONJA_WEBHOOK_ALLOW_PRIVATE: '1' }
    expect(readConfig('demo', env).webhookAllowPrivate).toBe(true)
    expect(complaints('serve', { ...served, ...env, NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^LONJA_WEBHOOK_ALLOW_PRIVATE is for development/),
    ])
  })

  it('requires a URL and a place for the data to serve, and reports both at once', () => {
    expect(complaints('serve', {})).toEqual([
      expect.stringMatching(/^PUBLIC_URL is missing/),
      expect.stringMatching(/^DATABASE_URL or LONJA_DATA is missing/),
    ])
    expect(readConfig('serve', served).dataDir).toBe('/srv/lonja')
    expect(readConfig('serve', { ...served, LONJA_DATA: '', DATABASE_URL: 'postgres://db/x' }).dataDir).toBe(
      undefined,
    )
  })

  it('gives commands the demo’s data folder when nothing is set', () => {
    expect(readConfig('command', {}).dataDir).toBe(resolve('data'))
    expect(readConfig('command', { DATABASE_URL: 'postgresql://db/x' })).toMatchObject({
      databaseUrl: 'postgresql://db/x',
      dataDir: undefined,
    })
  })

  it('lists every wrong setting, one line each', () => {
    const wrong = {
      HOST: 'not a host',
      PORT: '70000',
      PUBLIC_URL: 'https://lonja.example/path',
      DATABASE_URL: 'mysql://root:secreto@db/x',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: '10.0.0.0/33',
      RATE_LIMIT: '0',
      MAX_CONNECTIONS: '9',
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      KEEP_ALIVE_SECONDS: '0',
      STOP_DELAY_SECONDS: '301',
      DATABASE_POOL: '1e2',
      SMTP_URL: 'http://user:secreto@mail',
      MAP_TILES_URL: 'https://tiles.example/1.png',
      MAP_PMTILES: 'streets.json',
      MAIL_FROM: 'Lonja <nobody>',
      RECONFIRM_DAYS: '7',
      LONJA_WEBHOOK_ALLOW_PRIVATE: 'yes',
      LONJA_SECRET: 'secreto',
      ID_RETENTION_DAYS: '0',
      COOPERATION_DAYS: '0',
      EVENT_RETENTION_DAYS: '0',
      PRIVACY_CONTACT: 'somebody',
    }
    const lines = complaints('demo', wrong)
    expect(lines.map(line => line.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
    expect(lines.join()).not.toContain('secreto')
  })

  it.each([
    ['https://Lonja.Example/', 'https://lonja.example'],
    ['http://10.0.0.5:8080', 'http://10.0.0.5:8080'],
  ])('normalizes PUBLIC_URL %s', (given, kept) => {
    expect(readConfig('demo', { PUBLIC_URL: given }).publicUrl).toBe(kept)
  })

  it.each(['lonja.example', 'ftp://lonja.example', 'https://a.mx?x', 'https://a.mx/#x', 'https://u:p@a.mx'])(
    'rejects PUBLIC_URL %s',
    given => {
      expect(complaints('demo', { PUBLIC_URL: given })).toHaveLength(1)
    },
  )

  it.each([
    ['0.0.0.0', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
  ])('derives a usable URL from HOST %s', (HOST, address) => {
    expect(readConfig('demo', { HOST }).publicUrl).toBe(address)
  })

  it.each([
    ['https://tiles.example:8443/a/mexico-2026.pmtiles', 'https://tiles.example:8443/a/mexico-2026.pmtiles'],
    ['/srv/mexico.pmtiles', '/srv/mexico.pmtiles'],
    ['./data/mexico.pmtiles', resolve('data/mexico.pmtiles')],
  ])('reads MAP_PMTILES %s', (given, kept) => {
    expect(readConfig('demo', { MAP_PMTILES: given }).mapPmtiles).toBe(kept)
  })

  it.each([
    'http://tiles.example/mexico.pmtiles',
    'https://tiles.example/mexico.pmtiles?key=1',
    'https://user:word@tiles.example/mexico.pmtiles',
    "https://tiles.example/x;script-src'unsafe-eval'/mexico.pmtiles",
    'https://tiles.example/a b.pmtiles',
    's3://bucket/mexico.pmtiles',
  ])('rejects MAP_PMTILES %s', given => {
    expect(complaints('demo', { MAP_PMTILES: given })).toHaveLength(1)
  })

  it('rejects tiles and streets at the same time', () => {
    const both = {
      MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png',
      MAP_PMTILES: '/srv/mexico.pmtiles',
    }
    expect(complaints('demo', both)).toEqual(['MAP_TILES_URL and MAP_PMTILES exclude each other: set one.'])
  })

  it('parses the trusted proxies as a list', () => {
    const { trustProxy } = readConfig('demo', { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' })
    expect(trustProxy).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  })

  it('treats an empty setting as not set', () => {
    expect(readConfig('demo', { PORT: '', HOST: ' ', LOG_LEVEL: '' })).toEqual(readConfig('demo', {}))
  })

  it('returns a frozen result', () => {
    const config = readConfig('demo', {})
    expect(Object.isFrozen(config) && Object.isFrozen(config.trustProxy)).toBe(true)
  })
})

describe('environment', () => {
  it('overrides the .env file with real variables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-config-'))
    expect(environment(folder, { PORT: '1' })).toEqual({ PORT: '1' })
    await writeFile(join(folder, '.env'), 'PORT=2\nHOST="0.0.0.0"\n')
    expect(environment(folder, { PORT: '1' })).toEqual({ PORT: '1', HOST: '0.0.0.0' })
    await rm(folder, { recursive: true })
  })

  it('accepts .env.example unchanged', async () => {
    const example = parseEnv(await readFile('.env.example', 'utf8')) as Record<string, string>
    expect(complaints('demo', example)).toEqual([])
  })
})
