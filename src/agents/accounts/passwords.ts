import { hash, verify } from '@node-rs/argon2'
import { type Issue, issue } from '../../lib/issue.ts'

export const MIN_PASSWORD = 10
/** Argon2 reads every byte it is given: nobody needs a megabyte. */
const MAX_PASSWORD = 200

export async function passwordIssues(password: string, name = 'password'): Promise<Issue[]> {
  const length = [...password].length
  if (length < MIN_PASSWORD) return [issue(name, 'too_short', { min: MIN_PASSWORD })]
  if (length > MAX_PASSWORD) return [issue(name, 'too_long', { max: MAX_PASSWORD })]
  return (await isCommon(password)) ? [issue(name, 'common_password')] : []
}

let common: Promise<ReadonlySet<string>> | undefined

/** Read at its first use: most commands of the command line never need it. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD))
}

/** A few characters over and over are no better than they are once: 1111111111, abcabcabcabc. */
const isRepeated = (text: string) => /^(.{1,4}?)\1+.{0,3}$/u.test(text)

/** On the list of what people choose most, however it is capitalized; no rules on which characters to use. */
async function isCommon(password: string): Promise<boolean> {
  common ??= readCommon()
  const text = password.normalize('NFC').toLowerCase()
  return isRepeated(text) || (await common).has(text)
}

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'))

let nobodys: Promise<string> | undefined

/** So that the first wrong name after a start takes no longer than the others. */
export function prepareNobody(): Promise<string> {
  nobodys ??= hash('nobody signs in with this')
  return nobodys
}

/** Takes as long for an account that does not exist, or has no password, as for one that does. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(
    stored ?? (await prepareNobody()),
    password.slice(0, MAX_PASSWORD * 4).normalize('NFC'),
  )
  return isRight && typeof stored === 'string'
}
