import { hash, verify } from '@node-rs/argon2'
import { type Issue, issue } from '../../lib/issue.ts'

export const MIN_PASSWORD = 10
/** Argon2 hashes every byte: without a limit a long password would be costly. */
const MAX_PASSWORD = 200

export async function passwordIssues(password: string, name = 'password'): Promise<Issue[]> {
  const length = [...password].length
  if (length < MIN_PASSWORD) return [issue(name, 'too_short', { min: MIN_PASSWORD })]
  if (length > MAX_PASSWORD) return [issue(name, 'too_long', { max: MAX_PASSWORD })]
  return (await isCommon(password)) ? [issue(name, 'common_password')] : []
}

let common: Promise<ReadonlySet<string>> | undefined

/** Loaded on first use: most CLI commands never need it. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD))
}

/** Repetition adds no strength: 1111111111, abcabcabcabc. */
const isRepeated = (text: string) => /^(.{1,4}?)\1+.{0,3}$/u.test(text)

/** On the list of common passwords, ignoring case. There are no rules on which characters to use. */
async function isCommon(password: string): Promise<boolean> {
  common ??= readCommon()
  const text = password.normalize('NFC').toLowerCase()
  return isRepeated(text) || (await common).has(text)
}

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'))

let nobodys: Promise<string> | undefined

/** Keeps the first unknown name after startup from taking longer than later ones. */
export function prepareNobody(): Promise<string> {
  nobodys ??= hash('nobody signs in with this')
  return nobodys
}

/** Takes equally long when the account does not exist or has no password. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(
    stored ?? (await prepareNobody()),
    password.slice(0, MAX_PASSWORD * 4).normalize('NFC'),
  )
  return isRight && typeof stored === 'string'
}
