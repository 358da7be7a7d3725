import { hash, verify } from '@node-rs/argon2'

export const MIN_PASSWORD = 10
/** Argon2 reads every byte it is given: nobody needs a megabyte. */
const MAX_PASSWORD = 200

export function passwordErrors(password: string, name = 'password'): string[] {
  const length = [...password].length
  if (length < MIN_PASSWORD) return [`${name} must be at least ${MIN_PASSWORD} characters`]
  return length > MAX_PASSWORD ? [`${name} must be at most ${MAX_PASSWORD} characters`] : []
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
