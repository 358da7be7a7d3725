import { describe, expect, it } from 'vitest'
import { Completions, type Entry } from '../../src/search/suggest/completions.ts'

const completions = new Completions()
const add = (kind: Entry['kind'], name: string, count: number) =>
  completions.add({ kind, es: name, en: name, count, parameters: {}, filters: () => ({}) }, [name])
add('agent', 'Romina Paz', 90)
add('amenity', 'Roof garden', 50)
add('place', 'Roma Norte', 3)
add('place', 'Valladolid', 40)
add('place', 'Del Valle', 4)

const labels = (typed: string) => completions.find(typed, 10).entries.map(({ es }) => es)

describe('the order of completions', () => {
  it('puts agents last, however many listings they have', () => {
    expect(labels('ro')).toEqual(['Roof garden', 'Roma Norte', 'Romina Paz'])
  })

  it.each(['casa en ro', 'casa en la ro', 'house in ro'])('puts places first in %j', typed => {
    expect(labels(typed)).toEqual(['Roma Norte', 'Roof garden'])
  })

  it('puts a name first that has the small words too, and does not need them', () => {
    expect(labels('del va')).toEqual(['Del Valle', 'Valladolid'])
    expect(labels('va')).toEqual(['Valladolid', 'Del Valle'])
    expect(labels('col. del va')).toEqual(['Del Valle', 'Valladolid'])
  })

  it('offers no agent after other words', () => {
    expect(labels('casa ro')).toEqual(['Roof garden', 'Roma Norte'])
  })
})
