import { PREFIXES } from '../../src/search/engine/digest.ts'
import type { Engine } from '../../src/search/engine/engine.ts'
import { LabeledFacet } from '../../src/search/engine/facet.ts'

/**
 * Everything an engine holds about every listing, by id and value instead of by slot, so that two engines can be
 * compared whatever order they were filled in.
 */
export function contentOf(engine: Engine) {
  const live = [...engine.live.slots()]
  const idOf = new Map(live.map(slot => [slot, engine.ids.text(slot)]))
  const idsIn = (slots: Iterable<number>) =>
    [...slots].map(slot => idOf.get(slot)).filter(id => id !== undefined)
  const listings = live.map(slot => ({
    id: idOf.get(slot),
    labels: Object.values(engine.facets).map(facet =>
      facet instanceof LabeledFacet ? facet.nameOf(facet.labels[slot] as number) : undefined,
    ),
    steps: [engine.priceSteps.sale.labels[slot], engine.priceSteps.rental.labels[slot]],
    isFoundById: engine.ids.find(engine.ids.at(slot)) === slot,
    title: engine.titles.get(slot),
    shown: engine.shown.has(slot),
    onMarket: engine.onMarket.has(slot),
    featured: engine.featured.has(slot),
    version: engine.versions.get(slot),
    hash: engine.hashes.get(slot),
    ...Object.fromEntries(Object.entries(engine.columns).map(([name, column]) => [name, column.get(slot)])),
  }))
  const facets = Object.entries(engine.facets).flatMap(([name, { sets }]) =>
    [...sets].map(([value, set]) => [`${name} ${value}`, idsIn(set.slots()).sort()] as const),
  )
  const postings = engine.postings.sets.map(
    (set, i) =>
      [`${engine.postings.lexicon.text(i >>> 2)} ${i & 3}`, set ? idsIn(set.slots()).sort() : []] as const,
  )
  return {
    listings: listings.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    // A value that no listing has any more may not have been swept yet.
    sets: new Map([...facets, ...postings].filter(([, ids]) => ids.length > 0).sort(byName)),
    orders: Object.fromEntries(
      Object.entries(engine.orders).map(([name, order]) => [
        name,
        idsIn([...order.backwards(-Infinity, Infinity)]),
      ]),
    ),
    names: Object.values(engine.facets).map(({ sets, names }) =>
      [...names].filter(([value]) => idsIn(sets.get(value as never)?.slots() ?? []).length > 0).sort(),
    ),
    cities: engine.census.cities(),
    digest: Array.from({ length: PREFIXES }, (_, prefix) => engine.shownDigest.word(prefix)),
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
