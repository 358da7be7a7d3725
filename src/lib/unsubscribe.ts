import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Lang } from './i18n.ts'
import { deriveKey } from './sealed-box.ts'

/** The kinds of mail that a link ends without signing in. */
export const MAILINGS = ['needs', 'alerts', 'figures'] as const
export type Mailing = (typeof MAILINGS)[number]

/** From the key that all processes share. */
export const unsubscribeKeyOf = (keyText: string): Buffer => deriveKey(keyText, 'lonja unsubscribe')

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Never expires: the link of an old mail has to work. `id` is whose mail it is, a UUID. */
export const unsubscribeToken = (key: Buffer, mailing: Mailing, id: string): string =>
  `${mailing}.${id}.${sign(key, `${mailing}.${id}`)}`

export function readUnsubscribeToken(
  key: Buffer,
  token: string,
): { mailing: Mailing; id: string } | undefined {
  const [name, id = ''] = token.split('.')
  const mailing = MAILINGS.find(one => one === name)
  if (!mailing) return undefined
  const [sent, expected] = [Buffer.from(token), Buffer.from(unsubscribeToken(key, mailing, id))]
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? { mailing, id } : undefined
}

/** Opened by a person it asks for a confirmation; a mail program posts to it (RFC 8058). */
export const unsubscribeUrl = (publicUrl: string, lang: Lang, token: string): string =>
  `${publicUrl}${lang === 'en' ? '/en/unsubscribe' : '/baja'}/${token}`
