import { describe, expect, it } from 'vitest'
import {
  bodySchema,
  boolean,
  type Field,
  list,
  number,
  oneOf,
  optional,
  readBody,
  refined,
  text,
  wasRefused,
} from '../../src/lib/fields.ts'
import { failInto, type Issue } from '../../src/lib/issue.ts'
import { sentences } from '../support/issues.ts'

/** The value, or the reported issues. */
function read<T>(field: Field<T>, sent: unknown): unknown {
  const issues: Issue[] = []
  const value = field.read(sent, failInto(issues, ''))
  return issues.length > 0 ? sentences(issues).join('; ') : value
}

describe('text', () => {
  const field = text({ min: 5, max: 8 })
  it.each([
    ['trims', '  abcde  ', 'abcde'],
    ['composes', 'cafe\u0301s', 'cafés'],
    ['drops control characters but keeps line breaks and tabs', 'ab\u0007c\n\td', 'abc\n\td'],
    ['counts code points, not halves of them', '🏠🏠🏠🏠🏠🏠🏠🏠', '🏠🏠🏠🏠🏠🏠🏠🏠'],
    ['refuses what is short after trimming', ' abcd  ', 'must be at least 5 characters'],
    ['refuses what is long', 'abcdefghi', 'must be at most 8 characters'],
    ['refuses NUL', 'abc\0def', 'contains characters that cannot be stored'],
    ['refuses half a surrogate pair', 'abc\ud83ddef', 'contains characters that cannot be stored'],
    ['refuses a number', 12345, 'must be text'],
    ['refuses a list', ['abcde'], 'must be text'],
  ])('%s', (_what, sent, expected) => {
    expect(read(field, sent)).toBe(expected)
  })

  it('treats empty as null', () => {
    expect(read(text({ max: 8 }), ' \t ')).toBeNull()
    expect(read(text({ min: 1, max: 8 }), ' ')).toBe('must not be empty')
  })
})

describe('number', () => {
  const field = number({ min: 0, max: 999, decimals: 2 })
  it.each([
    ['accepts both bounds', 999, 999],
    ['accepts two decimals', 2.55, 2.55],
    ['turns minus zero into zero', -0, 0],
    ['refuses three decimals', 2.555, 'must have at most 2 decimals'],
    ['refuses less', -1, 'must be between 0 and 999'],
    ['refuses Infinity', Number.POSITIVE_INFINITY, 'must be between 0 and 999'],
    ['refuses NaN', Number.NaN, 'must be between 0 and 999'],
    ['refuses text', '3', 'must be a number'],
    ['refuses true', true, 'must be a number'],
  ])('%s', (_what, sent, expected) => {
    expect(read(field, sent)).toBe(expected)
  })

  it('can exclude the minimum, and fractions', () => {
    expect(read(number({ min: 0, above: true, max: 9 }), 0)).toBe('must be greater than 0 and at most 9')
    expect(read(number({ min: 0, max: 9, decimals: 0 }), 1.5)).toBe('must be a whole number')
  })
})

describe('the other kinds', () => {
  it.each<[string, Field<unknown>, unknown, unknown]>([
    ['a boolean is true or false', boolean(), false, false],
    ['a boolean is not text', boolean(), 'true', 'must be true or false'],
    ['a boolean is not a number', boolean(), 1, 'must be true or false'],
    ['a choice is one of its values', oneOf(['a', 'b']), 'b', 'b'],
    ['a choice is case-sensitive', oneOf(['a', 'b']), 'B', 'must be one of: a, b'],
    ['a choice is not a property inherited by objects', oneOf(['a']), 'toString', 'must be one of: a'],
    [
      'a pattern is checked after trimming',
      refined(text({ max: 9 }), code => /^\d{5}$/.test(code), ['not_a_postal_code']),
      ' 06700 ',
      '06700',
    ],
    [
      'a pattern must match the whole text',
      refined(text({ max: 9 }), code => /^\d{5}$/.test(code), ['not_a_postal_code']),
      '0670',
      'must be five digits',
    ],
    ['a list names the wrong entry', list(boolean(), { max: 3 }), [true, 1], '[1] must be true or false'],
    [
      'a list has a maximum length',
      list(boolean(), { max: 1 }),
      [true, true],
      'must have at most 1 items, 2 were sent',
    ],
    ['a list can require an entry', list(boolean(), { min: 1, max: 1 }), [], 'must not be empty'],
    ['a list is not an object', list(boolean(), { max: 1 }), { 0: true, length: 1 }, 'must be a list'],
  ])('%s', (_what, field, sent, expected) => {
    expect(read(field, sent)).toEqual(expected)
  })
})

describe('readBody', () => {
  const fields = { name: text({ min: 1, max: 9 }), age: optional(number({ min: 0, max: 150 })) }

  it('reads known fields and ignores the rest', () => {
    expect(readBody(fields, { name: 'Ana', other: 1 })).toEqual({ value: { name: 'Ana' }, issues: [] })
  })

  it('reports every issue at once, the field first', () => {
    const { issues } = readBody(fields, { name: '', age: 'old' })
    expect(sentences(issues)).toEqual(['name must not be empty', 'age must be a number'])
  })

  it('distinguishes a null that clears from one that is not allowed', () => {
    const { value, issues } = readBody(fields, { name: null, age: null })
    expect(sentences(issues)).toEqual(['name cannot be null'])
    expect(value.age).toBeNull()
    expect(wasRefused(value, 'name')).toBe(true)
    expect(wasRefused(value, 'age')).toBe(false)
  })

  it.each([[[]], ['x'], [null], [1], [undefined], [true]])('rejects %j as a body', body => {
    expect(sentences(readBody(fields, body).issues)).toEqual(['body must be a JSON object'])
  })

  it('ignores inherited keys and __proto__', () => {
    const body = JSON.parse('{"__proto__": {"name": "Eva", "admin": true}, "constructor": {"name": "x"}}')
    const { value, issues } = readBody(fields, body)
    expect(issues).toEqual([])
    expect(Object.keys(value)).toEqual([])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('describes what it reads', () => {
    expect(bodySchema(fields, ['name'])).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 9 },
        age: { type: 'number', minimum: 0, maximum: 150, nullable: true },
      },
    })
  })
})
