import { describe, expect, it } from 'vitest'
import { fromLocal, timeText, toLocal, ZONE } from '../../src/lib/time.ts'
import { zoneOf } from '../../src/lib/zones.ts'

describe('a time in central Mexico', () => {
  it.each([
    ['2026-03-01T10:30', '2026-03-01T16:30:00.000Z'],
    ['2026-03-01T10:30:59', '2026-03-01T16:30:00.000Z'],
    ['2026-03-01', '2026-03-01T15:00:00.000Z'],
    ['2028-02-29T00:00', '2028-02-29T06:00:00.000Z'],
    // When clocks still changed.
    ['2022-07-01T10:30', '2022-07-01T15:30:00.000Z'],
  ])('is parsed from %s and formatted back', (text, wanted) => {
    const at = fromLocal(text)
    expect(at?.toISOString()).toBe(wanted)
    expect(toLocal(at as Date).slice(0, 10)).toBe(text.slice(0, 10))
  })

  it.each([
    ['30 February', '2026-02-30T10:00'],
    ['29 February of a common year', '2026-02-29'],
    ['month 13', '2026-13-01T10:00'],
    ['day 0', '2026-01-00T10:00'],
    ['24 o’clock', '2026-01-01T24:00'],
    ['an hour that the clocks skipped', '2022-04-03T02:30'],
    ['a year of two digits, as date fields send it', '0026-03-01T10:00'],
    ['the year 0', '0000-01-01T00:00'],
    ['the last year of four digits', '9999-12-31T23:59'],
    ['no date', 'tomorrow'],
    ['nothing', ''],
  ])('is not parsed from %s', (_what, text) => expect(fromLocal(text)).toBeUndefined())
})

describe('a formatted time', () => {
  // Past midnight in UTC, still the evening before in Mexico.
  const at = new Date('2030-01-06T02:30:00Z')

  it.each([
    ['day', 'es', '5 ene 2030'],
    ['day', 'en', 'Jan 5, 2030'],
    ['moment', 'es', '5 ene 2030, 8:30 p.m.'],
    ['moment', 'en', 'Jan 5, 2030, 8:30 PM'],
    ['longDay', 'es', '5 de enero de 2030'],
    ['longDay', 'en', 'January 5, 2030'],
    ['longMoment', 'es', 'sábado, 5 de enero de 2030, 8:30 p.m.'],
    ['longMoment', 'en', 'Saturday, January 5, 2030 at 8:30 PM'],
  ] as const)('is in central Mexican time, as %s in %s', (style, lang, wanted) =>
    expect(timeText(at, style, lang).replace(/\s/g, ' ')).toBe(wanted),
  )
})

describe('the time zone of a place', () => {
  const at = (state: string | null, city: string, municipality: string | null = null) =>
    timeText(new Date('2030-07-06T18:30:00Z'), 'hour', 'en', zoneOf({ state, city, municipality })).replace(
      /\s/g,
      ' ',
    )

  it.each([
    ['Jalisco', 'Guadalajara', '12:30 PM'],
    ['Quintana Roo', 'Cancún', '1:30 PM'],
    ['Baja California', 'Tijuana', '11:30 AM'],
    ['Sonora', 'Hermosillo', '11:30 AM'],
    ['Baja California Sur', 'La Paz', '11:30 AM'],
    ['Sinaloa', 'Mazatlán', '11:30 AM'],
    ['Nayarit', 'Tepic', '11:30 AM'],
    ['Chihuahua', 'Chihuahua', '12:30 PM'],
    ['Chihuahua', 'Ciudad Juárez', '12:30 PM'],
    ['Tamaulipas', 'Reynosa', '1:30 PM'],
    ['Tamaulipas', 'Tampico', '12:30 PM'],
  ])('is that of %s, %s: in July half past six in UTC is %s there', (state, city, hour) =>
    expect(at(state, city)).toBe(hour),
  )

  it('is that of the municipality, where it differs from its state', () => {
    expect(at('Nayarit', 'Bucerías', 'Bahía de Banderas')).toBe('12:30 PM')
    expect(at('Coahuila', 'Saltillo', 'Saltillo')).toBe('12:30 PM')
    expect(at('Coahuila', 'Piedras Negras', 'Piedras Negras')).toBe('1:30 PM')
  })

  it('is central Mexico when the place is not known', () => {
    expect([zoneOf(null), zoneOf({ state: 'Atlántida', city: null, municipality: null })]).toEqual([
      ZONE,
      ZONE,
    ])
  })

  it('reads and writes the fields of a form', () => {
    const read = fromLocal('2030-01-05T10:30', 'America/Tijuana') as Date
    expect(read.toISOString()).toBe('2030-01-05T18:30:00.000Z')
    expect(toLocal(read, 'America/Tijuana')).toBe('2030-01-05T10:30')
  })
})
