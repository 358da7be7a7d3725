// Compiled and run in a project of its own, where only the packed client is installed. It never imports from src/.
import { readFileSync } from 'node:fs'
import { LonjaError, MemoryCopy, openLonja, verifyWebhook } from '@lonja/client'

const { BASE = '', KEY = '', OTHER_KEY = '', DELIVERY = '' } = process.env
const lonja = openLonja({ baseUrl: BASE, key: KEY })
const other = openLonja({ baseUrl: BASE, key: OTHER_KEY })

const titles: string[] = []
for await (const listing of lonja.each('searchListings', { state: 'Jalisco', limit: 2, sort: 'newest' })) {
  titles.push(listing.title)
}

const copy = new MemoryCopy()
const kinds: string[] = []
const follow = async () => {
  for await (const round of lonja.follow({ copy, state: 'Jalisco', wait: 0, proveEvery: 0 })) {
    kinds.push(round.kind)
  }
  return copy.listings.size
}
const first = await follow()
const { id } = await other.createListing({
  body: { title: 'Casa nueva en Zapopan', city: 'Zapopan', state: 'Jalisco', sale_price: '3,200,000' },
})
await other.publishListing({ id })
const withNew = await follow()
await other.updateListing({ id, body: { bedrooms: 3 } })
await follow()
const bedrooms = copy.listings.get(id)?.bedrooms
await other.withdrawListing({ id })
const withoutIt = await follow()

const refusal = await lonja
  .createListing({ body: { title: 'No', city: 'Zapopan', state: 'Jalisco', sale_price: 1 } })
  .then(
    () => undefined,
    error =>
      error instanceof LonjaError
        ? [error.code, error.issues.map(({ field, code }) => [field, code])]
        : error,
  )

const { body, headers, secret } = JSON.parse(readFileSync(DELIVERY, 'utf8'))
const event = await verifyWebhook({ body, headers, secret })
const status = event.event === 'listing.published' ? event.data.status : undefined

console.log(JSON.stringify({ titles, first, withNew, bedrooms, withoutIt, kinds, refusal, status }))

export function mistakes() {
  // @ts-expect-error a listing needs a title
  void lonja.createListing({ body: { city: 'Zapopan', state: 'Jalisco' } })
  // @ts-expect-error no such type
  void lonja.searchListings({ type: ['castle'] })
  // @ts-expect-error which listing?
  void lonja.getListing()
}
