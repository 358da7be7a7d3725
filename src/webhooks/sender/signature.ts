import { createHmac, timingSafeEqual } from 'node:crypto'

/** Over the exact bytes sent, keyed with the secret as displayed. */
export const signatureOf = (body: string | Buffer, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export function isSignedBy(body: Buffer, signature: string | undefined, secret: string): boolean {
  const expected = Buffer.from(signatureOf(body, secret))
  const given = Buffer.from(signature ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
