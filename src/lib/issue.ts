import { FORM_WORDS, type FormParams } from './form-words.ts'
import { type Lang, type Phrases, wordsIn } from './i18n.ts'
import { API_WORDS, type ApiParams } from './issue-words.ts'
import { cut } from './text.ts'

/** The parameters of each code's text. */
export interface IssueParams extends ApiParams, FormParams {}
export type IssueCode = keyof IssueParams

/**
 * One problem with the input, as data rather than a sentence. The presenter puts it into words: the API and the command
 * line in English unless asked otherwise, a page in its own language.
 */
export type Issue = {
  [C in IssueCode]: {
    /** The name in the API or the form; empty when the issue concerns the whole input. */
    field: string
    /** Index of the entry in a list. */
    index?: number
    code: C
    params: IssueParams[C]
    /** The value that was rejected, if one was read. Only those who sent it may be shown it. */
    sent?: unknown
  }
}[IssueCode]

/** A code and its parameters, if any: `'required'`, or `'too_short', { min: 3 }`. */
export type Flaw = {
  [C in IssueCode]: IssueParams[C] extends Record<string, never>
    ? [code: C]
    : [code: C, params: IssueParams[C]]
}[IssueCode]

// The tuple pairs each code with its parameters; destructuring loses that pairing.
export const issue = (field: string, ...[code, params = {}]: Flaw): Issue =>
  ({ field, code, params }) as Issue

/** Reports what is wrong with the value being read. */
export interface Fail {
  (...flaw: Flaw): void
  /** For one entry of a list. */
  at(index: number, sent?: unknown): Fail
  /** For one of several values. */
  about(sent: unknown): Fail
}

/** Where a value comes from, and what it was. */
interface Read {
  index?: number
  sent?: unknown
}

export function failInto(issues: Issue[], field: string, read: Read = {}): Fail {
  const fail = (...flaw: Flaw) => void issues.push({ ...issue(field, ...flaw), ...read })
  return Object.assign(fail, {
    at: (index: number, sent?: unknown) => failInto(issues, field, { index, sent }),
    about: (sent: unknown) => failInto(issues, field, { ...read, sent }),
  })
}

/** Replaces the default text of the codes it names. */
export type Wording = {
  readonly [C in IssueCode]?: Readonly<Record<Lang, string | ((params: IssueParams[C]) => string)>>
}

const WORDS: Phrases<IssueParams> = { ...API_WORDS, ...FORM_WORDS }

/** The issue as a predicate to follow the field name, «must be a number»; a whole sentence when there is no field. */
export function issueWords({ code, params }: Issue, lang: Lang, wording: Wording = {}): string {
  const phrase = (wording[code] ?? WORDS[code])[lang] as string | ((params: Issue['params']) => string)
  return typeof phrase === 'string' ? phrase : phrase(params)
}

/** «title must be at least 5 characters», «images[2] must be …» */
export function issueSentence(one: Issue, lang: Lang): string {
  const name = one.index === undefined ? one.field : `${one.field}[${one.index}]`
  return `${name} ${issueWords(one, lang)}`.trimStart()
}

const QUOTED_LENGTH = 40
/** Their texts quote the value already, or it says nothing. */
const UNQUOTED: ReadonlySet<IssueCode> = new Set([
  'unknown_amenity',
  'unknown_field',
  'foreign_cursor',
  'repeated',
])

/** The same for those who sent it: «min_price must be a number (sent: "abc")». */
export function issueReply(one: Issue, lang: Lang): string {
  const sentence = issueSentence(one, lang)
  const quote = UNQUOTED.has(one.code) ? undefined : quoted(one.sent)
  return quote === undefined ? sentence : `${sentence} (${wordsIn(lang)('se envió', 'sent')}: ${quote})`
}

function quoted(sent: unknown): string | undefined {
  if (typeof sent === 'string')
    return sent.trim() === '' ? undefined : JSON.stringify(cut(sent, QUOTED_LENGTH))
  return typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : undefined
}
