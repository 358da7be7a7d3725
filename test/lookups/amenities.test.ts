import { describe, expect, it } from 'vitest'
import { AMENITIES, canonicalAmenity } from '../../src/lookups/amenities.ts'

describe('amenities', () => {
  it('are 77 different labels, each with an English name', () => {
    expect(AMENITIES).toHaveLength(77)
    expect(new Set(AMENITIES.map(a => a.label)).size).toBe(77)
    for (const a of AMENITIES) expect(a.en).not.toBe('')
  })

  it('every label and alias identifies one amenity', () => {
    for (const a of AMENITIES)
      for (const spelling of [a.label, ...a.aliases])
        expect([spelling, canonicalAmenity(spelling)]).toEqual([spelling, a.label])
  })

  it.each([
    ['piscina', 'Alberca'],
    ['  ROOF   GARDEN ', 'Roof garden'],
    ['cancha de padel', 'Cancha de pádel'],
    ['area de juegos infantiles', 'Área de juegos infantiles'],
    ['Pet Friendly', 'Mascotas permitidas'],
  ])('%j means %s', (text, label) => {
    expect(canonicalAmenity(text)).toBe(label)
  })

  it.each(['', 'Helipuerto', 'Alber', '__proto__'])('%j is not an amenity', text => {
    expect(canonicalAmenity(text)).toBeUndefined()
  })
})
