import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, formatAmount, MAX_AMOUNT, parsePrice } from '../../src/lib/money.ts'

const cents = fc.integer({ min: 1, max: MAX_AMOUNT * 100 })
const currency = fc.constantFrom(...CURRENCIES)
const whole = fc.integer({ min: 0, max: 999_999_999_999 })
const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map(list => list.join(''))
const grouped = (separator: string, minGroups: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.array(digits(3, 3), { minLength: minGroups, maxLength: 4 }))
    .map(([head, groups]) => [head, ...groups].join(separator))

const refuses = (texts: fc.Arbitrary<string>) =>
  fc.assert(fc.property(texts, text => parsePrice(text) === undefined))

describe('an amount', () => {
  it('is parsed exactly from its display text, currency included', () => {
    fc.assert(
      fc.property(cents, currency, (amountCents, code) => {
        const amount = amountCents / 100
        expect(parsePrice(formatAmount(amount, code))).toEqual({ amount, currency: code })
      }),
    )
  })

  it('is displayed with comma groups, two decimals or none, and the code last', () => {
    fc.assert(
      fc.property(cents, currency, (amountCents, code) => {
        const text = formatAmount(amountCents / 100, code)
        expect(text).toMatch(/^\$\d{1,3}(,\d{3})*(\.\d{2})? (MXN|USD)$/)
        expect(text.endsWith(` ${code}`)).toBe(true)
        expect(text.includes('.')).toBe(amountCents % 100 !== 0)
        expect(Number(text.replace(/[^\d.]/g, ''))).toBe(amountCents / 100)
      }),
    )
  })

  it('is parsed the same with or without groups, sign and surrounding space', () => {
    const before = fc.constantFrom('', '$', ' $ ', '\t')
    const after = fc.constantFrom('', ' ', ' $', '\n')
    fc.assert(
      fc.property(cents, before, after, fc.boolean(), (amountCents, head, tail, isGrouped) => {
        const plain = (amountCents / 100).toFixed(2)
        const text = isGrouped ? plain.replace(/\B(?=(\d{3})+\.)/g, ',') : plain
        expect(parsePrice(`${head}${text}${tail}`)).toEqual({ amount: amountCents / 100 })
      }),
    )
  })

  it.each([
    ['MXN', 'MXN'],
    ['mxn ', 'MXN'],
    ['MX$', 'MXN'],
    ['USD $', 'USD'],
    ['US$', 'USD'],
  ])('is in the currency of the prefix %j: %s', (mark, code) => {
    expect(parsePrice(`${mark}1,250`)).toEqual({ amount: 1250, currency: code })
  })
})

describe('ambiguous text is rejected:', () => {
  it('points as group separators', () => refuses(grouped('.', 1)))
  it('a comma as decimal mark', () =>
    refuses(fc.tuple(whole, fc.oneof(digits(1, 2), digits(4, 6))).map(([a, b]) => `${a},${b}`)))
  it('points as groups with a decimal comma', () =>
    refuses(fc.tuple(grouped('.', 1), digits(1, 2)).map(([a, b]) => `${a},${b}`)))
  it.each([' ', '\u00a0', '\u202f', "'", '_'])('%j as group separator', separator =>
    refuses(grouped(separator, 1)),
  )
  it('groups that are not of three digits', () =>
    refuses(fc.tuple(digits(1, 3), fc.oneof(digits(1, 2), digits(4, 5)), digits(3, 3)).map(x => x.join(','))))
  it('a first group of more than three digits', () =>
    refuses(fc.tuple(digits(4, 9), digits(3, 3)).map(x => x.join(','))))
  it('three decimals or more', () =>
    refuses(fc.tuple(fc.oneof(whole, grouped(',', 1)), digits(3, 9)).map(([a, b]) => `${a}.${b}`)))
  it('exponents, hexadecimals, signs, fractions, ranges and multiples', () =>
    refuses(
      fc
        .tuple(whole, whole, fc.constantFrom('e', 'E', 'x', '-', '+', '/', ' - ', ' a ', 'M', 'k', ' mil'))
        .chain(([a, b, mark]) => fc.constantFrom(`${a}${mark}${b}`, `${mark}${b}`, `${a}${mark}`)),
    ))
  it('two currencies that disagree', () =>
    refuses(whole.chain(n => fc.constantFrom(`USD ${n} MXN`, `MX$${n} USD`, `MXN ${n} US$`))))
  it('digits of other scripts', () => refuses(fc.constantFrom('１００', '١٠٠', '१००', '1００')))
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...'0123456789',
    '.',
    ',',
    '$',
    ' ',
    'MXN',
    'USD',
    'US$',
    'e',
    '-',
    'M',
    '\u0000',
  )
  const anyText = fc.oneof(
    fc.array(pieces, { maxLength: 14 }).map(list => list.join('')),
    fc.string(),
  )

  it('is either rejected or means exactly its digits, with a comma every three digits', () => {
    fc.assert(
      fc.property(anyText, text => {
        const price = parsePrice(text)
        if (!price) return
        const number = text.replace(/MXN|M\.?N\.?|pesos|USD|dólares|dolares|dlls|MX\$|US\$|[$\s]/gi, '')
        expect(number).toMatch(/^[\d,]+(\.\d{1,2})?$/)
        expect(price.amount).toBe(Number(number.replaceAll(',', '')))
        if (number.includes(',')) expect(number.split('.')[0]).toMatch(/^\d{1,3}(,\d{3})+$/)
      }),
      { numRuns: 5_000 },
    )
  })

  it('is parsed in bounded time, whatever its length', () => {
    for (const text of ['9'.repeat(200_000), `1${',000'.repeat(50_000)}x`, `MXN${' '.repeat(100_000)}x`]) {
      const start = performance.now()
      parsePrice(text)
      expect(performance.now() - start).toBeLessThan(1_000)
    }
  })
})
