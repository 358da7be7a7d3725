import type { Lang } from '../lib/i18n.ts'
import type { Issue, Wording } from '../lib/issue.ts'
import { pageWords } from '../lib/page-words.ts'

/** Error messages by field; '' holds those of the whole form. */
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

/** For pages without a form to show them in. */
export const allWords = (issues: readonly Issue[], lang: Lang, wording?: Wording): string =>
  issues.map(issue => pageWords(issue, lang, wording)).join(' ')
