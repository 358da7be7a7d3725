import type { Sql } from '../db/database.ts'
import { findSetting } from '../db/settings.ts'
import { sealedBox } from '../lib/sealed-box.ts'

/** Encrypts the secrets of subscriptions: signing needs them back, so a hash would not work. */
export interface SecretBox {
  /** Bound to its subscription: a sealed secret moved to another row does not open. */
  seal(secret: string, webhookId: string): Buffer
  open(sealed: Buffer, webhookId: string): string
}

/** The secret of a subscription, and the one before it while both are valid. */
export const openSecrets = (
  box: SecretBox,
  { id, secret, old_secret: old }: { id: string; secret: Buffer; old_secret: Buffer | null },
) => ({ secret: box.open(secret, id), oldSecret: old ? box.open(old, id) : undefined })

/** With LONJA_SECRET a stolen database reveals no secret; without it the key is in the database too. */
export async function openSecretBox(db: Sql, operatorSecret: string | undefined): Promise<SecretBox> {
  return secretBox(await sharedKey(db, operatorSecret))
}

/** The same in every process of an installation. */
export const sharedKey = async (db: Sql, operatorSecret: string | undefined): Promise<string> =>
  operatorSecret ?? findSetting(db, 'webhook_secret_key')

export function secretBox(keyText: string): SecretBox {
  const box = sealedBox(keyText, 'lonja webhook secrets')
  return {
    seal: (secret, webhookId) => box.seal(Buffer.from(secret), webhookId),
    open: (sealed, webhookId) => box.open(sealed, webhookId).toString(),
  }
}
