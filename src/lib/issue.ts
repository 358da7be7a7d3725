import { FORM_WORDS, type FormParams } from './form-words.ts'
import type { Lang, Phrases } from './i18n.ts'
import { API_WORDS, type ApiParams } from './issue-words.ts'

/** What each code's words need to know. */
export interface IssueParams extends ApiParams, FormParams {}
export type IssueCode = keyof IssueParams

/**
 * One thing that is wrong with what somebody sent: data, not a sentence. Whoever shows it puts it into words, the API
 * and the command line in English unless asked otherwise, a page in its own language.
 */
export type Issue = {
  [C in IssueCode]: {
    /** As the API or the form names it; empty when it is about the whole. */
    field: string
    /** Which entry of a list. */
    index?: number
    code: C
    params: IssueParams[C]
  }
}[IssueCode]

/** A code and its parameters, where it has any: `'required'`, or `'too_short', { min: 3 }`. */
export type Flaw = {
  [C in IssueCode]: IssueParams[C] extends Record<string, never>
    ? [code: C]
    : [code: C, params: IssueParams[C]]
}[IssueCode]

// The tuple pairs each code with its own parameters, which a destructured pair no longer shows.
export const issue = (field: string, ...[code, params = {}]: Flaw): Issue =>
  ({ field, code, params }) as Issue

/** How a reader reports what is wrong with the value it was given. */
export interface Fail {
  (...flaw: Flaw): void
  /** For one entry of a list. */
  at(index: number): Fail
}

export function failInto(issues: Issue[], field: string, index?: number): Fail {
  const position = index === undefined ? {} : { index }
  const fail = (...flaw: Flaw) => void issues.push({ ...issue(field, ...flaw), ...position })
  return Object.assign(fail, { at: (entry: number) => failInto(issues, field, entry) })
}

/** Other words than the usual ones, for the codes it names. */
export type Wording = {
  readonly [C in IssueCode]?: Readonly<Record<Lang, string | ((params: IssueParams[C]) => string)>>
}

const WORDS: Phrases<IssueParams> = { ...API_WORDS, ...FORM_WORDS }

/** What is wrong, to be read after the name of the field: «must be a number». A whole sentence where there is no field. */
export function issueWords({ code, params }: Issue, lang: Lang, wording: Wording = {}): string {
  const phrase = (wording[code] ?? WORDS[code])[lang] as string | ((params: Issue['params']) => string)
  return typeof phrase === 'string' ? phrase : phrase(params)
}

/** «title must be at least 5 characters», «images[2] must be …» */
export function issueSentence(one: Issue, lang: Lang): string {
  const name = one.index === undefined ? one.field : `${one.field}[${one.index}]`
  return `${name} ${issueWords(one, lang)}`.trimStart()
}
