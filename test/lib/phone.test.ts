import { expect, it } from 'vitest'
import { normalizePhone } from '../../src/lib/phone.ts'

it.each([
  ['33 1234 5678', '+523312345678'],
  ['(55) 1234-5678', '+525512345678'],
  ['+52 33 1234 5678', '+523312345678'],
  ['+52 1 33 1234 5678', '+523312345678'],
  ['521 33 1234 5678', '+523312345678'],
  ['044 33 1234 5678', '+523312345678'],
  ['045 33 1234 5678', '+523312345678'],
  ['01 33 1234 5678', '+523312345678'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+34 612 34 56 78', '+34612345678'],
])('reads %s as %s', (written, number) => {
  expect(normalizePhone(written)).toBe(number)
})

it.each(['', 'no tengo', '12', '+', '++52', '123456789012345678901234567890'])(
  'makes nothing of "%s"',
  written => {
    expect(normalizePhone(written)).toBeUndefined()
  },
)
