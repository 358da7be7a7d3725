import { expect, it } from 'vitest'
import { dialed, normalizePhone, phoneText } from '../../src/lib/phone.ts'

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

it.each(['', 'no tengo', '12', '+', '++52', '123456789012345678901234567890'])('rejects "%s"', written => {
  expect(normalizePhone(written)).toBeUndefined()
})

it.each([
  ['+523312345678', '33 1234 5678'],
  ['044 55 1234 5678', '55 1234 5678'],
  ['+52 1 998 123 4567', '998 123 4567'],
  ['+1 415 555 2671', '+1 415 555 2671'],
  ['ext. 12', 'ext. 12'],
])('shows %s as people in Mexico write it: %s', (stored, shown) => {
  expect(phoneText(stored)).toBe(shown)
})

it('dials even what it cannot recognize', () => {
  expect([dialed('33 1234 5678'), dialed('ext. 12')]).toEqual(['+523312345678', '12'])
})
