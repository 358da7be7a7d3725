import type { Static } from 'typebox'
import { convert } from '../../../src/lib/money.ts'
import { foldText } from '../../../src/lib/text.ts'
import type { ListingRecord } from '../../../src/listings/schema.ts'
import type { Judged } from './judged.ts'

export type Listing = Static<typeof ListingRecord>

/** Close to that of the demo. */
export const MXN_PER_USD = 18

const called = (name: string | null, value: string) =>
  value.split('|').some(one => {
    const [have, want] = [foldText(name ?? ''), foldText(one)]
    return have === want || have.startsWith(`${want} `)
  })

/** 2 for exactly what was asked for, 1 for what is right as well, 0 for what is wrong. */
export function gradeOf(listing: Listing, { conditions }: Judged): number {
  const grades = conditions.map(({ field, is, value }) => {
    const { location } = listing
    const isIn = (number: number | null) =>
      number !== null && (is === '<=' ? number <= Number(value) : number >= Number(value))
    switch (field) {
      case 'type':
        return Number(listing.property_type === value)
      case 'op':
        return Number(listing.operations.some(({ type }) => type === value))
      case 'state':
        return Number(called(location.state, value))
      case 'city':
        return Number(called(location.city, value) || called(location.municipality, value))
      case 'hood':
        return Number(called(location.neighborhood, value))
      case 'place':
        return Number(
          [location.state, location.city, location.municipality, location.neighborhood].some(name =>
            called(name, value),
          ),
        )
      case 'feature':
        return Number(listing.features.includes(value))
      case 'without':
        return Number(!listing.features.includes(value))
      case 'beds':
        return listing.bedrooms === Number(value)
          ? 2
          : Number(isIn(listing.bedrooms) || (listing.bedrooms ?? 0) > Number(value))
      case 'baths':
        return Number(isIn(listing.bathrooms))
      case 'period':
        return Number(listing.operations.some(({ period }) => period === value))
      case 'floors':
        return Number(listing.floors === Number(value))
      case 'cars':
        return Number(isIn(listing.parking))
      case 'built':
        return Number(isIn(listing.construction_m2))
      case 'lot':
        return Number(isIn(listing.lot_m2))
      case 'price':
      case 'dollars': {
        const wanted = conditions.find(one => one.field === 'op')?.value
        const asked = { currency: field === 'price' ? 'MXN' : 'USD', mxnPerUsd: MXN_PER_USD } as const
        const offers = listing.operations.filter(({ type }) => !wanted || type === wanted)
        return Number(offers.some(({ amount, currency }) => isIn(convert(amount, currency, asked))))
      }
      default:
        throw new Error(`no such condition: ${field}`)
    }
  })
  const least = Math.min(...grades.map(grade => Math.min(grade, 1)))
  return least === 0 ? 0 : Math.max(...grades)
}

/** Discounted gain of the first ten against the best ten there are. */
export function ndcg(answer: number[], all: number[]): number {
  const gain = (grades: number[]) =>
    grades.slice(0, 10).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)
  return gain(answer) / gain([...all].sort((a, b) => b - a))
}
