import { perAddress, type RateLimit, slidingWindow } from '../../http/rate-limit.ts'
import { networkOf } from '../../lib/address.ts'

/**
 * Password attempts per ten minutes (the window of http/rate-limit.ts) and process. Signed-in agents and known browsers
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
  address: Pick<RateLimit, 'take'>
}

export const openThrottle = (now: () => number): Throttle => ({
  account: slidingWindow(TRIES.once, now),
  everywhere: slidingWindow(TRIES.everywhere, now),
  address: perAddress(slidingWindow(TRIES.address, now)),
})

const signInKey = (account: string, address: string) => `sign-in ${networkOf(address)} ${account}`

/** From an unknown browser. */
export const mayTry = ({ account, everywhere }: Throttle, email: string, address: string): boolean =>
  account.take(signInKey(email, address)).allowed && everywhere.take(email).allowed

export const mayTryFromDevice = ({ account }: Throttle, device: string): boolean =>
  account.take(`device ${device}`).allowed

/** After proof of access to the account's mailbox. */
export function openAgain({ account, everywhere }: Throttle, email: string, address: string): void {
  account.forget(signInKey(email, address))
  everywhere.forget(email)
}
