import { describe, expect, it } from 'vitest'
import { retryRead } from '../../src/db/unavailable.ts'

const failure = (code: string) => Object.assign(new Error('failed'), { code })

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
    let times = 0
    const read = async () => {
      times++
      throw failure('ECONNREFUSED')
    }
    await expect(retryRead(read)).rejects.toThrow('failed')
    expect(times).toBeGreaterThan(1)
    times = 0
    await expect(retryRead(read)).rejects.toThrow('failed')
    expect(times).toBe(1)
    expect(await retryRead(async () => 'found')).toBe('found')
    await expect(retryRead(read)).rejects.toThrow('failed')
    expect(times).toBeGreaterThan(2)
  })

  it('is not repeated when the statement itself is wrong', async () => {
    let times = 0
    const read = async () => {
      times++
      throw failure('42601')
    }
    await expect(retryRead(read)).rejects.toThrow('failed')
    expect(times).toBe(1)
  })
})
