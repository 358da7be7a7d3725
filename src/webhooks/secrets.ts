import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Sql } from '../db/database.ts'
import { findSecretKey } from './store.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Seals the secrets of subscriptions: signing needs them back, so a hash will not do. */
export interface SecretBox {
  /** Bound to the subscription: a sealed secret moved to another row does not open. */
  seal(secret: string, webhookId: string): Buffer
  open(sealed: Buffer, webhookId: string): string
}

/** With the operator's LONJA_SECRET a stolen database tells no secret; without it the key lies in the database too. */
export async function openSecretBox(db: Sql, operatorSecret: string | undefined): Promise<SecretBox> {
  return secretBox(operatorSecret ?? (await findSecretKey(db)))
}

export function secretBox(keyText: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', keyText, '', 'lonja webhook secrets', 32))
  return {
    seal(secret, webhookId) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(webhookId))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text])
    },
    open(sealed, webhookId) {
      const iv = sealed.subarray(0, IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(webhookId)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return (
        decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
