import { execFile } from 'node:child_process'
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'

// No Docker in tests: what these files guarantee is read from them.
const read = (name: string) => readFile(name, 'utf8')
const run = promisify(execFile)

interface Service {
  image: string
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  volumes?: string[]
}

describe('the Dockerfile', () => {
  const lines = async () => (await read('Dockerfile')).split('\n')

  it('builds in one stage and runs in another, as a user without rights', async () => {
    const all = await lines()
    const stages = all.filter(line => line.startsWith('FROM '))
    expect(stages).toEqual(['FROM node:20-bookworm-slim AS build', 'FROM node:20-bookworm-slim'])
    const last = all.slice(all.lastIndexOf('FROM node:20-bookworm-slim'))
    expect(last.filter(line => /^(USER|RUN npm|ADD)/.test(line))).toEqual(['USER node'])
    expect(last.indexOf('USER node')).toBeLessThan(last.findIndex(line => line.startsWith('ENTRYPOINT')))
  })

  it('copies only what exists and is let through, never an .env or data', async () => {
    const ignore = (await read('.dockerignore')).trim().split('\n')
    expect(ignore[0]).toBe('*')
    const copied = (await lines()).filter(line => line.startsWith('COPY ') && !line.includes('--from'))
    for (const name of copied.flatMap(line => line.split(' ').slice(1, -1))) {
      await access(name)
      expect(ignore).toContain(`!${name}`)
    }
  })

  it('has a health check that fails when the process does not answer', async () => {
    const [, command = '[]'] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(await read('Dockerfile')) ?? []
    const [, ...args] = JSON.parse(command)
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/health' ? 200 : 404).end()
    }).listen(0, '127.0.0.1')
    await new Promise(done => server.once('listening', done))
    const env = { PATH: process.env.PATH, PORT: String((server.address() as AddressInfo).port) }
    await run(process.execPath, args, { env })
    server.close()
    server.closeAllConnections()
    await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 })
  })
})

describe('compose.yaml', () => {
  const services = async (): Promise<[string, Service][]> =>
    Object.entries(parse(await read('compose.yaml'), { merge: true }).services)

  it('runs every Lonja process without rights, on a root that cannot be written', async () => {
    const ours = (await services()).filter(([, { image }]) => image === 'lonja')
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'web1', 'web2', 'worker'])
    for (const [, service] of ours) {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
  })

  it('gives them settings that Lonja accepts, and no secret of its own', async () => {
    for (const [, { image, environment = {} }] of await services()) {
      if (image !== 'lonja') continue
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{PUBLIC_URL:\?\}/, 'https://lonja.example')
          .replace(/\$\{SMTP_URL:-\}/, '')
          .replace(/\$\{(\w+):\?\}/g, 'a-value-of-more-than-32-characters'),
      ])
      const config = readConfig('serve', Object.fromEntries(filled))
      expect(config.bucket).toMatchObject({ origin: 'http://storage:7070', name: 'uploads' })
    }
    const secrets = (await services())
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET/.test(name))
    expect(secrets.length).toBeGreaterThan(3)
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?\}$/)
  })

  it('names the version of every image, and mounts the proxy’s example with the addresses it asks for', async () => {
    const all = await services()
    for (const [, { image }] of all) expect(image).toMatch(/^lonja$|:v?\d/)
    const proxy = all.find(([name]) => name === 'proxy')?.[1]
    const [, example = ''] = /^\.\/(.*?):/.exec(proxy?.volumes?.[0] ?? '') ?? []
    const always = (await read(example)).replace(/^\.if .*?^\.endif$/gms, '')
    const asked = new Set([...always.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name))
    expect(Object.keys(proxy?.environment ?? {})).toEqual([...asked])
  })
})

describe('the systemd unit', () => {
  it('starts the role and port of its name, and hardly anything is writable', async () => {
    const unit = await read('deploy/lonja@.service')
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
    expect(unit).toMatch(/^NoNewPrivileges=true$/m)
    const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? []
    const shell = script.replaceAll('%%', '%').replaceAll('%i', 'web-3001').replaceAll('$$', '$')
    const folder = await mkdtemp(join(tmpdir(), 'lonja-unit-'))
    try {
      await writeFile(join(folder, 'node'), '#!/bin/sh\necho "$PORT $STATUS_PORT $METRICS_PORT $*"\n')
      await chmod(join(folder, 'node'), 0o755)
      const { stdout } = await run('/bin/sh', ['-c', shell], { env: { PATH: `${folder}:/bin:/usr/bin` } })
      expect(stdout).toBe('3001 3001 9001 bin/lonja serve --role web\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
