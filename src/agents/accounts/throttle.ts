import { perAddress, type RateLimit, slidingWindow } from '../../http/rate-limit.ts'
import { networkOf } from '../../lib/address.ts'

/**
 * Tries of passwords in ten minutes, as long as http/rate-limit.ts remembers, in each process. Whoever is signed in, and
 * browsers that were once, are counted apart: no stranger can use up their tries.
 */
const TRIES = {
  /** On one account from one address, from one browser that is known, or by whoever is signed in. */
  once: 10,
  /** On any accounts from one address. */
  address: 50,
  /** On one account from anywhere, so that many addresses together do not guess without end. */
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

/** From a browser that is not known. */
export const mayTry = ({ account, everywhere }: Throttle, email: string, address: string): boolean =>
  account.take(signInKey(email, address)).allowed && everywhere.take(email).allowed

export const mayTryFromDevice = ({ account }: Throttle, device: string): boolean =>
  account.take(`device ${device}`).allowed

/** For whoever has just proved to read the mail of the account. */
export function openAgain({ account, everywhere }: Throttle, email: string, address: string): void {
  account.forget(signInKey(email, address))
  everywhere.forget(email)
}
