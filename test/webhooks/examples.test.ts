import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { sign, verify } from '@octokit/webhooks-methods'
import { describe, expect, it } from 'vitest'
import { newSecret } from '../../src/webhooks/rules.ts'
import { isSignedBy, signatureOf } from '../../src/webhooks/sender/signature.ts'

const SECRET = newSecret()
const BODY = '{"event":"lead.created","data":{"id":"1","name":"Íñigo 🏠"}}'
const SIGNATURE = signatureOf(BODY, SECRET)

/** Body, signature, secret, and whether a receiver should take it. */
const CASES: [string, string, string, boolean][] = [
  [BODY, SIGNATURE, SECRET, true],
  [`${BODY} `, SIGNATURE, SECRET, false],
  [BODY, SIGNATURE, newSecret(), false],
  [BODY, SIGNATURE.slice(7), SECRET, false],
  [BODY, SIGNATURE.toUpperCase(), SECRET, false],
  [BODY, '', SECRET, false],
  [BODY, 'sha256=ñ', SECRET, false],
]

const documented = async (language: string) => {
  const text = await readFile('docs/webhooks.md', 'utf8')
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1]
  if (!code) throw new Error(`docs/webhooks.md has no example in ${language}`)
  return code
}
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

describe('the signature', () => {
  it('is the one that an independent library makes and accepts', async () => {
    expect(await sign(SECRET, BODY)).toBe(SIGNATURE)
    expect(await verify(SECRET, BODY, SIGNATURE)).toBe(true)
  })

  it.each(CASES)('%s with %s is judged rightly by the receiver we ship', (body, signature, secret, right) => {
    expect(isSignedBy(Buffer.from(body), signature, secret)).toBe(right)
  })
})

describe('the documented check', () => {
  it('in Node.js tells right from wrong', async () => {
    const code = Buffer.from(await documented('js')).toString('base64')
    const { isGenuine } = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
    for (const [body, signature, secret, right] of CASES) {
      expect(isGenuine(Buffer.from(body), signature, secret)).toBe(right)
    }
    expect(isGenuine(Buffer.from(BODY), undefined, SECRET)).toBe(false)
  })

  it.skipIf(!isThere('python3'))('in Python tells right from wrong', async () => {
    const ask = `
import json, sys
print(json.dumps([is_genuine(b.encode(), s, k) for b, s, k, _ in json.load(sys.stdin)]))`
    const answer = execFileSync('python3', ['-c', (await documented('python')) + ask], {
      input: JSON.stringify(CASES),
    })
    expect(JSON.parse(answer.toString())).toEqual(CASES.map(([, , , right]) => right))
  })

  it.skipIf(!isThere('php'))('in PHP tells right from wrong', async () => {
    const ask = `
$out = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as [$b, $s, $k]) $out[] = is_genuine($b, $s, $k);
echo json_encode($out);`
    const answer = execFileSync('php', ['-r', (await documented('php')) + ask], {
      input: JSON.stringify(CASES),
    })
    expect(JSON.parse(answer.toString())).toEqual(CASES.map(([, , , right]) => right))
  })
})
