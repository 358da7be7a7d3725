import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { Claims } from '../../src/webhooks/dispatch/claims.ts'
import { OutcomeWriter } from '../../src/webhooks/dispatch/outcome-writer.ts'
import { Seats } from '../../src/webhooks/dispatch/seats.ts'

/** Work that ends when it is told to. */
function pending() {
  let end = () => {}
  const work = () => new Promise<void>(resolve => (end = resolve))
  return { work, end: () => end() }
}

describe('seats', () => {
  it('are free again as soon as the work ends, and whoever waits is woken', async () => {
    let woken = 0
    const seats = new Seats({ seats: 2, slowMs: 60_000, total: 10 }, () => woken++)
    const [one, two] = [pending(), pending()]
    seats.run(one.work)
    seats.run(two.work)
    expect([seats.free, woken]).toEqual([0, 0])
    one.end()
    await sleep(1)
    expect([seats.free, woken]).toEqual([1, 1])
    two.end()
    await seats.drain()
    expect([seats.free, woken]).toEqual([2, 2])
  })

  it('are given up once by slow work, which still counts towards the total until it ends', async () => {
    const seats = new Seats({ seats: 1, slowMs: 5, total: 2 }, () => {})
    const [slow, other] = [pending(), pending()]
    seats.run(slow.work)
    expect(seats.free).toBe(0)
    await sleep(30)
    expect(seats.free).toBe(1)
    seats.run(other.work)
    await sleep(30)
    // No seat is taken, but the process is full.
    expect(seats.free).toBe(0)
    slow.end()
    await sleep(1)
    expect(seats.free).toBe(1)
    other.end()
    await seats.drain()
    expect(seats.free).toBe(1)
  })
})

describe('claims', () => {
  const setup = (waiting: number, free: () => number) => {
    const stopping = new AbortController()
    const asked: number[] = []
    const errors: unknown[] = []
    let [started, open, most, left] = [0, 0, 0, waiting]
    const claims = new Claims<number>({
      free,
      async claim(count) {
        asked.push(count)
        most = Math.max(most, ++open)
        // What is written while a claim is under way, it does not see.
        const got = Math.min(count, left)
        await sleep(1)
        open--
        if (got < 0) throw new Error('database away')
        left -= got
        return Array.from({ length: got }, (_, i) => i)
      },
      start: () => started++,
      onError: error => errors.push(error),
      stopping: stopping.signal,
    })
    return {
      claims,
      stopping,
      asked,
      errors,
      seen: () => ({ started, most }),
      setLeft: (n: number) => (left = n),
    }
  }

  it('go on while each brings as many as were asked for, one at a time, however often they are woken', async () => {
    const { claims, asked, seen } = setup(25, () => 10)
    for (let i = 0; i < 5; i++) claims.wake()
    await claims.drain()
    expect(seen()).toEqual({ started: 25, most: 1 })
    expect(asked).toEqual([10, 10, 10])
  })

  it('are made once more when woken during one that found nothing', async () => {
    const { claims, asked, seen, setLeft } = setup(0, () => 10)
    claims.wake()
    setLeft(3)
    claims.wake()
    await claims.drain()
    expect([asked, seen().started]).toEqual([[10, 10], 3])
  })

  it('are not made without a free seat or after the stop', async () => {
    let free = 0
    const { claims, stopping, asked } = setup(5, () => free)
    claims.wake()
    await claims.drain()
    free = 5
    stopping.abort()
    claims.wake()
    await claims.drain()
    expect(asked).toEqual([])
  })

  it('that fail are reported, and the next wake tries again', async () => {
    const { claims, errors, seen, setLeft } = setup(-1, () => 10)
    claims.wake()
    await claims.drain()
    expect(errors).toHaveLength(1)
    setLeft(2)
    claims.wake()
    await claims.drain()
    expect(seen().started).toBe(2)
  })
})

describe('outcomes', () => {
  it('that arrive during a write are written together, in order, and each waits for its own', async () => {
    const stored: number[][] = []
    const writer = new OutcomeWriter<number>({
      async store(batch) {
        await sleep(5)
        stored.push([...batch])
      },
      onGivenUp: () => {},
    })
    const first = writer.write(1)
    await sleep(1)
    const others = Promise.all([2, 3, 4].map(n => writer.write(n)))
    await first
    expect(stored).toEqual([[1]])
    await others
    expect(stored).toEqual([[1], [2, 3, 4]])
  })

  it('that cannot be stored are tried three times, then given up, and the next ones are written', async () => {
    let tries = 0
    const given: unknown[] = []
    const stored: number[][] = []
    const writer = new OutcomeWriter<number>({
      async store(batch) {
        if (batch.includes(1) && ++tries) throw new Error('database away')
        stored.push([...batch])
      },
      onGivenUp: error => given.push(error),
    })
    await writer.write(1)
    await writer.write(2)
    expect([tries, given.length, stored]).toEqual([3, 1, [[2]]])
  })

  it('are written as soon as the database is back, however long it was away', async () => {
    let tries = 0
    const stored: number[][] = []
    const writer = new OutcomeWriter<number>({
      async store(batch) {
        if (++tries <= 5) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
        stored.push([...batch])
      },
      onGivenUp: error => {
        throw error
      },
      isTemporary: error => isUnavailable(error as Error),
    })
    await writer.write(1)
    expect(stored).toEqual([[1]])
  })
})
