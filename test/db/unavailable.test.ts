import { describe, expect, it } from 'vitest'
import { retryRead } from '../../src/db/unavailable.ts'

const failure = (code: string) => Object.assign(new Error('failed'), { code })

/** How often a read that always fails is tried until the caller gets the error. */
async function triesOf(code: string): Promise<number> {
  let tries = 0
  const read = async () => {
    tries++
    throw failure(code)
  }
  await expect(retryRead(read)).rejects.toThrow('failed')
  return tries
}

describe('a read', () => {
  it('is repeated until the database is back', async () => {
    const failures = ['57P01', 'ECONNREFUSED', '57P03'].map(failure)
    const read = async () => {
      const error = failures.shift()
      if (error) throw error
      return 'found'
    }
    expect(await retryRead(read)).toBe('found')
  })

  it('fails in the end while the database stays away, and then at once until it is back', async () => {
    expect(await triesOf('ECONNREFUSED')).toBeGreaterThan(1)
    expect(await triesOf('ECONNREFUSED')).toBe(1)
    expect(await retryRead(async () => 'found')).toBe('found')
    expect(await triesOf('ECONNREFUSED')).toBeGreaterThan(1)
  })

  it('is not repeated when the statement itself is wrong', async () => {
    expect(await triesOf('42601')).toBe(1)
  })
})
