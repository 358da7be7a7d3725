import type { Lang } from '../lib/i18n.ts'
import type { Issue, Wording } from '../lib/issue.ts'
import { pageWords } from '../lib/page-words.ts'

/** What is wrong with each field, in words; under '' what is wrong with the whole. */
export type FieldErrors = Record<string, string[]>

export function fieldErrors(issues: readonly Issue[], lang: Lang, wording?: Wording): FieldErrors {
  const byField: FieldErrors = {}
  for (const issue of issues) {
    const prefix = issue.index === undefined ? '' : `${issue.index + 1}: `
    const text = `${prefix}${pageWords(issue, lang, wording)}`
    byField[issue.field] = [...(byField[issue.field] ?? []), text]
  }
  return byField
}

/** Where there is no form to show them in. */
export const allWords = (issues: readonly Issue[], lang: Lang, wording?: Wording): string =>
  issues.map(issue => pageWords(issue, lang, wording)).join(' ')
