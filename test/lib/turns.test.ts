import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { NotReady } from '../../src/lib/problem.ts'
import { fairTurns } from '../../src/lib/turns.ts'

const OPEN = { running: 1, runningPerKey: 1, waiting: 100, waitingPerKey: 100 }

describe('turns', () => {
  it('run in order, and are returned by tasks that fail', async () => {
    const { run } = fairTurns(OPEN)
    const order: number[] = []
    const works = [1, 2, 3].map(n =>
      run('a', async () => {
        order.push(n)
        await sleep(5)
        order.push(n)
        if (n === 2) throw new Error('failed')
      }),
    )
    const ends = await Promise.allSettled(works)
    expect(order).toEqual([1, 1, 2, 2, 3, 3])
    expect(ends.map(end => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('alternate between queues: a heavy user delays only their own tasks', async () => {
    const turns = fairTurns(OPEN)
    const order: string[] = []
    const ask = (key: string) => turns.run(key, async () => void order.push(key))
    await Promise.all([...Array(20).fill('greedy'), 'ana', 'eva'].map(ask))
    expect(order.slice(0, 4).sort()).toEqual(['ana', 'eva', 'greedy', 'greedy'])
    expect(order).toHaveLength(22)
    expect(turns.size).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  it('start one per round of the event loop, even for tasks that never wait', async () => {
    const turns = fairTurns(OPEN)
    let done = 0
    const visitors = async () => {
      for (let i = 0; i < 40; i++) await turns.run(`address ${i}`, async () => void done++)
    }
    void visitors()
    for (let round = 1; round <= 20; round++) {
      await nextRound()
      expect(done).toBeLessThanOrEqual(round + 1)
    }
    await expect.poll(() => done).toBe(40)
  })

  it('of one key run only up to its share at a time, while others proceed', async () => {
    const turns = fairTurns({ ...OPEN, running: 3, runningPerKey: 2 })
    for (let i = 0; i < 5; i++) void turns.enter('greedy')
    await sleep(5)
    expect(turns.size.running).toBe(2)
    await turns.enter('ana')
    expect(turns.size.running).toBe(3)
  })

  it('are bounded: filled to ten times its bound, a queue rejects, per key and in total', async () => {
    const turns = fairTurns({ running: 1, runningPerKey: 1, waiting: 20, waitingPerKey: 5 })
    const refused = (error: unknown) => error instanceof NotReady
    const ask = (key: string) => turns.enter(key).then(() => false, refused)
    for (let i = 0; i < 50; i++) void ask('greedy')
    await sleep(5)
    expect(turns.size).toEqual({ running: 1, waiting: 5, keys: 1 })
    expect(await ask('greedy')).toBe(true)
    for (let i = 0; i < 200; i++) void ask(`other ${i}`)
    await sleep(5)
    expect(turns.size.waiting).toBe(20)
    expect(await ask('somebody else')).toBe(true)
  })
})
