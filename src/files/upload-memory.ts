import { NotReady, Problem } from '../lib/problem.ts'

/** Bytes of uploaded files held in memory until their form is answered, per account and in total. */
const LIMITS = { account: 192 * 2 ** 20, all: 384 * 2 ** 20 }

export interface Hold {
  /** Throws when the limit is reached. */
  add(bytes: number): void
  release(): void
}

export function uploadMemory(limits = LIMITS) {
  const byAccount = new Map<string, number>()
  let all = 0
  const change = (account: string, bytes: number) => {
    const held = (byAccount.get(account) ?? 0) + bytes
    all += bytes
    if (held > 0) byAccount.set(account, held)
    else byAccount.delete(account)
    return held
  }
  return {
    hold(account: string): Hold {
      let mine = 0
      return {
        add(bytes) {
          mine += bytes
          const held = change(account, bytes)
          if (held > limits.account) throw new Problem('payload_too_large')
          if (all > limits.all) throw new NotReady('too many files are being sent')
        },
        release() {
          change(account, -mine)
          mine = 0
        },
      }
    },
    get bytes() {
      return all
    },
  }
}
