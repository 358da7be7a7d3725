import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeKey, hashKey, matches, newKey, prefixOf } from '../../src/keys/rules.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length })
const keys = fc.tuple(base62(8), base62(42)).map(([prefix, random]) => composeKey(prefix, random))

describe('a key', () => {
  it('is svc, a prefix of 8 and a secret of 48 characters', () => {
    for (let i = 0; i < 50; i++) expect(newKey()).toMatch(/^svc_[0-9A-Za-z]{8}_[0-9A-Za-z]{48}$/)
  })

  it('draws from all 62 characters', () => {
    const seen = new Set(
      Array.from({ length: 100 }, newKey).flatMap(key => [...key.slice(4).replace('_', '')]),
    )
    expect([...seen].sort().join('')).toBe(BASE62)
  })

  it('is never issued twice, nor its prefix', () => {
    const issued = Array.from({ length: 5_000 }, newKey)
    expect(new Set(issued).size).toBe(issued.length)
    expect(new Set(issued.map(prefixOf)).size).toBe(issued.length)
  })

  it('keeps its checksum algorithm: an issued key stays valid', () => {
    const key = composeKey('ABCDEFGH', '0123456789abcdefghijklmnopqrstuvwxyzABCDEF')
    expect(key).toBe('svc_ABCDEFGH_0123456789abcdefghijklmnopqrstuvwxyzABCDEF3XKkf3')
    expect(prefixOf(key)).toBe('ABCDEFGH')
  })
})

describe('the checksum', () => {
  it('detects any single changed character', () => {
    const change = fc.tuple(keys, fc.nat(60), fc.constantFrom(...BASE62))
    fc.assert(
      fc.property(change, ([key, at, char]) => {
        fc.pre(key[at] !== char)
        return prefixOf(key.slice(0, at) + char + key.slice(at + 1)) === undefined
      }),
      { numRuns: 2_000 },
    )
  })

  it('detects two swapped neighbors', () => {
    fc.assert(
      fc.property(keys, fc.nat(59), (key, at) => {
        fc.pre(key[at] !== key[at + 1])
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
        return prefixOf(swapped) === undefined
      }),
    )
  })

  it('accepts every generated key', () => {
    fc.assert(fc.property(keys, key => prefixOf(key) === key.slice(4, 12)))
  })
})

describe('prefixOf', () => {
  const key = newKey()
  it.each([
    ['nothing', ''],
    ['a character more', `${key}0`],
    ['a character less', key.slice(0, -1)],
    ['a line break at the end', `${key}\n`],
    ['a space before', ` ${key}`],
    ['another first word', key.replace('svc_', 'key_')],
    ['another case', key.toLowerCase().replace('svc', 'SVC')],
    ['a letter outside the alphabet', key.replace(/.$/, 'ñ')],
  ])('rejects %s', (_what, text) => {
    expect(prefixOf(text)).toBeUndefined()
  })

  it('never throws on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => prefixOf(text) === undefined))
  })
})

describe('matches', () => {
  it('is true only for the key that was hashed', () => {
    const [key, other] = [newKey(), newKey()]
    expect(hashKey(key)).toHaveLength(32)
    expect(matches(hashKey(key), hashKey(key))).toBe(true)
    expect(matches(hashKey(other), hashKey(key))).toBe(false)
    expect(matches(hashKey(key), undefined)).toBe(false)
    expect(matches(hashKey(key), Buffer.alloc(32))).toBe(false)
  })
})
