import type { Db, Sql } from '../db/database.ts'
import { findSetting, keepSetting, updateSetting } from '../db/settings.ts'
import { deriveKey, sealedBox } from '../lib/sealed-box.ts'
import { StartupError } from '../lib/startup-error.ts'
import * as store from './store.ts'

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

const fingerprintOf = (key: string) => deriveKey(key, 'lonja fingerprint').toString('hex')

const MISSING =
  'LONJA_SECRET is missing: this database was set up with one, and without it webhooks could not be signed. Set it as in the other processes, or start over with a new one: lonja secret replace'
const DIFFERENT =
  'LONJA_SECRET is not the one this database was set up with, and webhooks could not be signed with it. Set it as in the other processes, or start over with this one: lonja secret replace'

/** Before anything is sealed or claimed: every process of an installation has the same secret. The first one decides. */
export async function requireSameSecret(db: Db, secret: string | undefined): Promise<void> {
  const key = await sharedKey(db, secret)
  const fingerprint = fingerprintOf(key)
  // An installation older than the fingerprint.
  const isFirst = canOpen(secretBox(key), await store.listSealed(db, 1))
  const known = isFirst ? await keepSetting(db, 'secret_fingerprint', fingerprint) : undefined
  if (known !== fingerprint) throw new StartupError(secret === undefined ? MISSING : DIFFERENT)
}

/** Whether this is the secret of a database that has one. */
export const hasSameSecret = async (db: Sql, secret: string | undefined): Promise<boolean> =>
  fingerprintOf(await sharedKey(db, secret)) === (await findSetting(db, 'secret_fingerprint'))

/** From now on the secret is this one. Returns how many webhooks are paused, because their secrets cannot be read. */
export function replaceSecret(db: Db, secret: string | undefined): Promise<number> {
  return db.transaction().execute(async tx => {
    const key = await sharedKey(tx, secret)
    await updateSetting(tx, 'secret_fingerprint', fingerprintOf(key))
    const box = secretBox(key)
    const lost = (await store.listSealed(tx)).filter(webhook => !canOpen(box, [webhook]))
    for (const { id } of lost) await store.updateActive(tx, id, false)
    return lost.length
  })
}

function canOpen(box: SecretBox, sealed: { id: string; secret: Buffer }[]): boolean {
  try {
    for (const { id, secret } of sealed) box.open(secret, id)
    return true
  } catch {
    return false
  }
}
