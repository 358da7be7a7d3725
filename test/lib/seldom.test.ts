import { expect, it } from 'vitest'
import { seldom } from '../../src/lib/seldom.ts'

it('a line that repeats itself is logged once in ten seconds, with how often it was left out', () => {
  let now = 0
  const logged: number[] = []
  const log = seldom(() => now)
  for (now = 0; now <= 20_000; now += 100) log(leftOut => logged.push(leftOut))
  expect(logged).toEqual([0, 99, 99])
})
