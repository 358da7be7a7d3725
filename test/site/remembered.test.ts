import { describe, expect, it } from 'vitest'
import { Remembered } from '../../src/site/remembered.ts'

function counted(changedMs?: number) {
  const state = { now: 0, version: 1, loads: 0 }
  const remembered = new Remembered(async () => ++state.loads, {
    now: () => state.now,
    forMs: 60_000,
    version: () => state.version,
    ...(changedMs === undefined ? {} : { changedMs }),
  })
  return { state, get: () => remembered.get() }
}

describe('what pages cache', () => {
  it('is never older than its maximum age, however rarely it is requested', async () => {
    const { state, get } = counted()
    expect(await get()).toBe(1)
    state.now = 150_000
    expect(await get()).toBe(2)
  })

  it('is recomputed within five seconds of a change', async () => {
    const { state, get } = counted()
    await get()
    state.version = 2
    state.now = 5_001
    expect(await get()).toBe(2)
  })

  it('is kept while nothing changes', async () => {
    const { state, get } = counted()
    await get()
    state.now = 59_999
    expect(await get()).toBe(1)
  })
})

it('concurrent requests share one computation', async () => {
  const { get, state } = counted(0)
  expect(new Set(await Promise.all(Array.from({ length: 40 }, get)))).toEqual(new Set([1]))
  state.version = 2
  expect(await get()).toBe(2)
})
