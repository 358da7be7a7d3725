import { describe, expect, it } from 'vitest'
import { replaceSecret, requireSameSecret, secretBox } from '../../src/webhooks/secrets.ts'
import { useExchange } from '../support/exchange.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
const [FIRST, OTHER] = ['the first secret of this exchange', 'another secret of this exchange'].map(text =>
  text.padEnd(40, '.'),
) as [string, string]

/** What the database of an installation remembers of its secret. */
async function forget() {
  await exchange.db.deleteFrom('settings').where('name', '=', 'secret_fingerprint').execute()
  await exchange.db.deleteFrom('webhooks').execute()
}

describe('the secret of an installation', () => {
  it('is that of its first process; one without it, or with another, does not start', async () => {
    await forget()
    await requireSameSecret(exchange.db, FIRST)
    await requireSameSecret(exchange.db, FIRST)
    await expect(requireSameSecret(exchange.db, OTHER)).rejects.toThrow(/not the one.*lonja secret replace/)
    await expect(requireSameSecret(exchange.db, undefined)).rejects.toThrow(/LONJA_SECRET is missing/)
  })

  it('cannot be added later without noticing', async () => {
    await forget()
    await requireSameSecret(exchange.db, undefined)
    await expect(requireSameSecret(exchange.db, FIRST)).rejects.toThrow(/not the one/)
    await requireSameSecret(exchange.db, undefined)
  })

  it('is the one that opens the webhooks of an installation that has not recorded any', async () => {
    await forget()
    const webhook = await subscribe(exchange, await exchange.agent(), 'https://crm.example/hook')
    const sealed = secretBox(FIRST).seal(webhook.secret, webhook.id)
    await exchange.db.updateTable('webhooks').set({ secret: sealed }).execute()
    await expect(requireSameSecret(exchange.db, OTHER)).rejects.toThrow(/not the one/)
    await requireSameSecret(exchange.db, FIRST)
  })

  it('can be replaced: webhooks that it cannot sign are paused, the others stay', async () => {
    await forget()
    const agent = await exchange.agent()
    const [old, present] = [
      await subscribe(exchange, agent, 'https://crm.example/old'),
      await subscribe(exchange, agent, 'https://crm.example/present'),
    ]
    for (const [secret, { id }] of [[FIRST, old] as const, [OTHER, present] as const]) {
      const sealed = secretBox(secret).seal('whsec_x', id)
      await exchange.db.updateTable('webhooks').set({ secret: sealed }).where('id', '=', id).execute()
    }
    expect(await replaceSecret(exchange.db, OTHER)).toBe(1)
    await requireSameSecret(exchange.db, OTHER)
    const rows = await exchange.db.selectFrom('webhooks').select(['id', 'active']).execute()
    expect(new Map(rows.map(({ id, active }) => [id, active]))).toEqual(
      new Map([
        [old.id, false],
        [present.id, true],
      ]),
    )
  })
})
