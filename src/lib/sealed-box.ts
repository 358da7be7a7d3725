import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts values that must be read back but must not be readable in the database: AES-256-GCM. */
export interface SealedBox {
  /** Bound to its row: a value moved to another row does not open. */
  seal(content: Buffer, boundTo: string): Buffer
  open(sealed: Buffer, boundTo: string): Buffer
}

/** Derives a key per purpose: a value sealed for one purpose does not open for another. */
export const deriveKey = (keyText: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', keyText, '', purpose, 32))

export function sealedBox(keyText: string, purpose: string): SealedBox {
  const key = deriveKey(keyText, purpose)
  return {
    seal(content, boundTo) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(boundTo))
      const text = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text])
    },
    open(sealed, boundTo) {
      const iv = sealed.subarray(0, IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    },
  }
}
