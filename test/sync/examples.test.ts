import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../src/lib/free-port.ts'
import { useExchange } from '../support/exchange.ts'
import { hashOf } from '../support/follower.ts'
import { until } from '../support/receiver.ts'

const LISTINGS = Array.from({ length: 50 }, () => ({
  id: randomUUID(),
  version: randomUUID().replaceAll('-', '').slice(0, 16),
}))
const SETS = [[], LISTINGS.slice(0, 1), LISTINGS]
const EXPECTED = SETS.map(set => hashOf(set.map(({ id, version }): [string, string] => [id, version])))

const documented = async (language: string) => {
  const text = await readFile('docs/api-guide.md', 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  const code = [...blocks].map(([, block = '']) => block).find(block => /hash_?of/i.test(block))
  if (!code) throw new Error(`docs/api-guide.md has no example in ${language}`)
  return code
}
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

describe('the documented hash', () => {
  it('of the contract’s own example is its definition', () => {
    expect(EXPECTED[0]).toBe('0000000000000000')
    expect(hashOf([['5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11', '9c1e04b7d25fa830']])).toBe('0012acf95f8fc426')
  })

  it('in TypeScript is that of the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-example-'))
    const path = join(folder, 'hash.ts')
    await writeFile(path, await documented('ts'))
    const { hashOf: theirs } = await import(/* @vite-ignore */ path)
    expect(SETS.map(set => theirs(set))).toEqual(EXPECTED)
    await rm(folder, { recursive: true })
  })

  it.skipIf(!isThere('python3'))('in Python is that of the server', async () => {
    const ask = `
import json, sys
print(json.dumps([hash_of(one) for one in json.load(sys.stdin)]))`
    const input = JSON.stringify(SETS)
    const answer = execFileSync('python3', ['-c', (await documented('python')) + ask], { input })
    expect(JSON.parse(answer.toString())).toEqual(EXPECTED)
  })

  it.skipIf(!isThere('php'))('in PHP is that of the server', async () => {
    const ask = `echo json_encode(array_map('hash_of', json_decode(file_get_contents('php://stdin'), true)));`
    const input = JSON.stringify(SETS)
    const answer = execFileSync('php', ['-r', (await documented('php')) + ask], { input })
    expect(JSON.parse(answer.toString())).toEqual(EXPECTED)
  })
})

describe('the example of a site', () => {
  const exchange = useExchange()

  it('is under 100 lines', async () => {
    expect((await readFile('examples/follower.mjs', 'utf8')).split('\n').length - 1).toBeLessThan(100)
  })

  it('loads, follows, goes on after a kill, and repairs a copy that somebody spoiled', async () => {
    const [owner, reader] = [await exchange.agent({ name: 'Ana <b>' }), await exchange.agent()]
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await exchange.published(owner, { title: `Casa número ${i}` })).id)
    await exchange.app.listen({ host: '127.0.0.1', port: 0 })
    const { port: apiPort } = exchange.app.server.address() as AddressInfo
    const folder = await mkdtemp(join(tmpdir(), 'lonja-example-'))
    const file = join(folder, 'copy.json')
    const port = await freePort('127.0.0.1')
    const start = () =>
      spawn(process.execPath, ['examples/follower.mjs', file, String(port)], {
        env: { LONJA: `http://127.0.0.1:${apiPort}/api/v1`, KEY: reader.key, PROVE_EVERY_MS: '500' },
      })
    const page = async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.text()
    const shows = (count: number) =>
      until(async () => Boolean((await page())?.includes(`<h1>${count}</h1>`)), 20_000)

    let site = start()
    await shows(5)
    expect(await page()).toContain('Ana &#60;b&#62;')
    await exchange.delete(`/properties/${ids[0]}`, owner.key)
    await exchange.published(owner)
    await exchange.published(owner)
    await shows(6)
    site.kill('SIGKILL')
    await new Promise(done => site.once('exit', done))

    const saved = JSON.parse(await readFile(file, 'utf8'))
    const [first, second, ...others] = saved.listings
    const stray = { ...first, id: randomUUID() }
    const listings = [{ ...second, title: 'spoiled', version: '0123456789abcdef' }, stray, ...others]
    await writeFile(file, JSON.stringify({ ...saved, listings }))
    site = start()
    await shows(6)
    await until(async () => !(await page())?.includes('spoiled'), 20_000)
    site.kill()
    await rm(folder, { recursive: true })
  }, 90_000)
})
