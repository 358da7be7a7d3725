import { type AddressLimit, type OpenLimit, perAddress, type RateLimit } from '../../http/rate-limit.ts'
import { networkOf } from '../../lib/address.ts'

/**
 * Password attempts per ten minutes (the window of http/rate-limit.ts). Signed-in agents and known browsers
 * are counted separately, so strangers cannot exhaust their attempts.
 */
const TRIES = {
  /** On one account, from one address, one known browser or one signed-in agent. */
  once: 10,
  /** On any account from one address. */
  address: 50,
  /** On one account from anywhere: bounds guessing from many addresses. */
  everywhere: 200,
}

export interface Throttle {
  account: RateLimit
  everywhere: RateLimit
  address: AddressLimit
}

export const openThrottle = (open: OpenLimit): Throttle => ({
  account: open('account', TRIES.once),
  everywhere: open('everywhere', TRIES.everywhere),
  address: perAddress(open('sign-in', TRIES.address)),
})

const signInKey = (account: string, address: string) => `sign-in ${networkOf(address)} ${account}`

/** From an unknown browser. */
export const mayTry = async ({ account, everywhere }: Throttle, email: string, address: string) =>
  (await account.take(signInKey(email, address))).allowed && (await everywhere.take(email)).allowed

export const mayTryFromDevice = async ({ account }: Throttle, device: string) =>
  (await account.take(`device ${device}`)).allowed

/** After proof of access to the account's mailbox. */
export async function openAgain({ account, everywhere }: Throttle, email: string, address: string) {
  await account.forget(signInKey(email, address))
  await everywhere.forget(email)
}
