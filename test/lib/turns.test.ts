import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { turns } from '../../src/lib/turns.ts'

describe('turns', () => {
  it('are taken in order, and given back by work that fails', async () => {
    const inTurn = turns(1)
    const order: number[] = []
    const works = [1, 2, 3].map(n =>
      inTurn(async () => {
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
})
