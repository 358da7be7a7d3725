import { type Filters, MARKS } from '../search/criteria.ts'
import { commonOffers, type Offer, offer } from '../search/offers.ts'
import { type Asker, freshOf, leftOut } from './parameters.ts'

export const COMMISSIONS = ['1', '2', '2.5', '3', '4', '5']
export const FRESH = ['new-7', 'new-30', 'lowered-7', 'lowered-30', 'either-7', 'either-30']

export function offersOf(filters: Filters, asker: Asker): Offer[] {
  const otherMarks = (mark: string) => (filters.marks ?? []).filter(one => one !== mark)
  return [
    ...commonOffers(filters),
    offer(filters, 'min_commission', ['minCommission'], COMMISSIONS, value => ({
      minCommission: Number(value),
    })),
    offer(filters, 'fresh', ['fresh'], FRESH, value => ({
      fresh: freshOf(value, asker.now) as NonNullable<Filters['fresh']>,
    })),
    offer(filters, 'not', ['notAgents'], ['mine', 'agency'], value => ({ notAgents: leftOut(value, asker) })),
    ...MARKS.map(mark =>
      offer(filters, mark, ['marks'], ['1'], () => ({ marks: [...otherMarks(mark), mark] })),
    ),
  ]
}
