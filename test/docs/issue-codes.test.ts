import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { issueSentence } from '../../src/lib/issue.ts'
import { API_CODES } from '../../src/lib/issue-words.ts'
import { sampleOf } from '../support/issues.ts'

const row = (code: (typeof API_CODES)[number]) => {
  const one = sampleOf(code)
  return `| \`${code}\` | ${issueSentence(one, 'en')} | ${issueSentence(one, 'es')} |`
}

it('the guide lists every code of a 422, with the server’s own example text in both languages', async () => {
  const guide = await readFile(new URL('../../docs/api-guide.md', import.meta.url), 'utf8')
  const shown = guide.split('\n').filter(line => /^\| `\w+` \| .* \| .* \|$/.test(line))
  expect(shown).toEqual(API_CODES.map(row))
})
