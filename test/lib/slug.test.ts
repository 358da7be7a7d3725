import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kebab, uniqueSlug } from '../../src/lib/slug.ts'

it.each([
  ['Casa en Coyoacán', 'casa-en-coyoacan'],
  ['  ¡Oportunidad! — 3 recámaras ', 'oportunidad-3-recamaras'],
  ['Peñón/Ñandú', 'penon-nandu'],
  ['🏠🏠🏠🏠🏠', 'propiedad'],
  ['', 'propiedad'],
  ['中文标题', 'propiedad'],
])('turns "%s" into %s', (title, slug) => {
  expect(kebab(title, 'propiedad')).toBe(slug)
})

it('has lowercase letters, digits and hyphens, at most 80, and never looks like a UUID', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), title => {
      const slug = uniqueSlug(title, 'propiedad')
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(slug.length).toBeLessThanOrEqual(80)
      expect(slug).not.toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    }),
  )
})

it('differs each time for the same title', () => {
  const slugs = new Set(Array.from({ length: 200 }, () => uniqueSlug('Casa', 'propiedad')))
  expect(slugs.size).toBe(200)
})
