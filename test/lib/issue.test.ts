import { describe, expect, it } from 'vitest'
import { failInto, type Issue, issue, issueSentence, issueWords } from '../../src/lib/issue.ts'
import { pageWords } from '../../src/lib/page-words.ts'
import { ISSUE_CODES, sampleOf } from '../support/issues.ts'

describe('an issue', () => {
  it.each(ISSUE_CODES)('with the code %s has texts in both languages, on pages too', code => {
    const one = sampleOf(code)
    for (const words of [issueWords, pageWords]) {
      const [es, en] = [words(one, 'es'), words(one, 'en')]
      expect(es).not.toBe(en)
      for (const text of [es, en]) {
        expect(text).toMatch(/\p{L}{2}/u)
        expect(text).not.toMatch(/undefined|NaN|\[object|^\s|\s$/)
      }
      expect(en).not.toMatch(/[áéíóúñ¿¡«»]/i)
    }
  })

  it('is a sentence that starts with its field and entry', () => {
    expect(issueSentence(issue('title', 'too_short', { min: 5 }), 'en')).toBe(
      'title must be at least 5 characters',
    )
    const issues: Issue[] = []
    failInto(issues, 'urls').at(2)('not_a_public_url', { max: 2048 })
    expect(issues).toEqual([{ field: 'urls', index: 2, code: 'not_a_public_url', params: { max: 2048 } }])
    expect(issueSentence(issues[0] as Issue, 'es')).toBe(
      'urls[2] debe ser una URL http o https pública de 2048 caracteres como máximo',
    )
  })

  it('about the whole input is a sentence without a field', () => {
    expect(issueSentence(issue('', 'too_many_keys', { max: 20 }), 'en')).toBe(
      'An agent can have 20 keys: revoke one first.',
    )
  })

  it('uses the page’s own text where there is one', () => {
    const wording = { too_short: { es: 'es muy corto', en: 'is too short' } }
    const one = issue('title', 'too_short', { min: 5 })
    expect(pageWords(one, 'es', wording)).toBe('es muy corto')
    expect(pageWords(issue('city', 'empty'), 'es', wording)).toBe('es obligatorio')
  })
})
