import { describe, expect, it } from 'vitest'
import { canonicalState, STATES } from '../../src/lookups/states.ts'

describe('states', () => {
  it('are the 32 states, each name and ISO code once', () => {
    expect(STATES).toHaveLength(32)
    expect(new Set(STATES.map(s => s.name)).size).toBe(32)
    expect(new Set(STATES.map(s => s.code)).size).toBe(32)
    for (const s of STATES) expect(s.code).toMatch(/^MX-[A-Z]{3}$/)
  })

  it('every spelling identifies one state', () => {
    for (const s of STATES)
      for (const spelling of [s.name, s.official, s.code, ...s.aliases]) {
        expect([spelling, canonicalState(spelling)]).toEqual([spelling, s.name])
        expect(canonicalState(` ${spelling.toUpperCase()} `)).toBe(s.name)
      }
  })

  it.each([
    ['México', 'Estado de México'],
    ['edomex', 'Estado de México'],
    ['cdmx', 'Ciudad de México'],
    ['d. f.', 'Ciudad de México'],
    ['Distrito  Federal', 'Ciudad de México'],
    ['MICHOACAN DE OCAMPO', 'Michoacán'],
    ['nl', 'Nuevo León'],
    ['N. L.', 'Nuevo León'],
    ['mx-jal', 'Jalisco'],
    ['Baja California', 'Baja California'],
    ['qroo', 'Quintana Roo'],
    ['Q.  Roo', 'Quintana Roo'],
  ])('%s means %s', (text, name) => {
    expect(canonicalState(text)).toBe(name)
  })

  it.each(['', '.', 'Texas', 'Baja', 'Ciudad', 'constructor', '__proto__'])('%j is not a state', text => {
    expect(canonicalState(text)).toBeUndefined()
  })

  it('every center is inside Mexico', () => {
    for (const { center } of STATES) {
      expect(center.lat).toBeGreaterThan(14)
      expect(center.lat).toBeLessThan(33.5)
      expect(center.lng).toBeGreaterThan(-119)
      expect(center.lng).toBeLessThan(-86)
    }
  })
})
