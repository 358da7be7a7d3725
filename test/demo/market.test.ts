import { describe, expect, it } from 'vitest'
import { DEMO_AGENT, DEMO_EMAIL, generateMarket } from '../../src/demo/market.ts'
import type { DemoAgent, DemoListing } from '../../src/demo/types.ts'
import { canonicalAmenity } from '../../src/lookups/amenities.ts'
import { STATES } from '../../src/lookups/states.ts'

const now = new Date('2025-11-15T12:00:00.000Z')
const started = performance.now()
const market = generateMarket({ seed: 1, now })
const elapsedMs = performance.now() - started
const { agencies, agents, listings, leads } = market

const agentOf = (listing: DemoListing): DemoAgent => agents[listing.agent] as DemoAgent
const isVisible = (l: DemoListing): boolean =>
  l.status === 'published' && !l.idx_opt_out && !l.imported && agentOf(l).verified && !agentOf(l).is_test
const share = (test: (l: DemoListing) => boolean): number => listings.filter(test).length / listings.length
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort()

const STATUSES = ['draft', 'expired', 'published', 'rented', 'sold', 'suspended', 'withdrawn']
const TYPES = [
  'apartment',
  'building',
  'commercial',
  'house',
  'land',
  'office',
  'other',
  'ranch',
  'warehouse',
]

describe('the demo market as a whole', () => {
  it('is the same for the same seed and time, and differs for another seed', () => {
    expect(generateMarket({ seed: 1, now })).toEqual(market)
    expect(generateMarket({ seed: 2, now }).listings[0]).not.toEqual(listings[0])
  })

  it('is generated in well under two seconds', () => {
    expect(elapsedMs).toBeLessThan(2000)
  })

  it('has 12 agencies, 40 agents, 2,000 listings and 300 leads', () => {
    expect([agencies.length, agents.length, listings.length, leads.length]).toEqual([12, 40, 2000, 300])
  })

  it.each([1, 2, 3, 99])('with seed %i has at least 8 public listings in every state', seed => {
    const other = generateMarket({ seed, now })
    for (const { name } of STATES) {
      const visible = other.listings.filter(l => {
        const agent = other.agents[l.agent] as DemoAgent
        return (
          l.state === name &&
          l.status === 'published' &&
          !l.idx_opt_out &&
          !l.imported &&
          agent.verified &&
          !agent.is_test
        )
      })
      expect([name, visible.length >= 8]).toEqual([name, true])
    }
  })

  it('has every status, every property type, every rent period and both currencies', () => {
    expect(sorted(listings.map(l => l.status))).toEqual(STATUSES)
    expect(sorted(listings.map(l => l.property_type))).toEqual(TYPES)
    expect(sorted(listings.flatMap(l => l.rent_period ?? []))).toEqual([
      'daily',
      'monthly',
      'weekly',
      'yearly',
    ])
    expect(sorted(listings.flatMap(l => [l.sale_currency ?? [], l.rent_currency ?? []].flat()))).toEqual([
      'MXN',
      'USD',
    ])
  })

  it.each<[string, (l: DemoListing) => boolean, number, number]>([
    ['published', l => l.status === 'published', 0.79, 0.86],
    ['for sale only', l => l.rent_price === null, 0.6, 0.7],
    ['for rent only', l => l.sale_price === null, 0.24, 0.32],
    ['for both', l => l.sale_price !== null && l.rent_price !== null, 0.05, 0.09],
    ['in dollars', l => (l.sale_currency ?? l.rent_currency) === 'USD', 0.1, 0.16],
    ['without coordinates', l => l.lat === null, 0.07, 0.13],
    ['with English texts', l => l.title_en !== null, 0.12, 0.18],
    ['featured', l => l.featured, 0.01, 0.03],
    ['closed to other sites', l => l.idx_opt_out, 0.01, 0.03],
    ['imported', l => l.imported, 0.005, 0.02],
    ['exclusive', l => l.exclusive, 0.09, 0.15],
    ['with exact address', l => l.show_exact_address, 0.05, 0.11],
  ])('has a plausible share of listings %s', (_, test, low, high) => {
    expect(share(test)).toBeGreaterThan(low)
    expect(share(test)).toBeLessThan(high)
  })

  it('is complete even when small', () => {
    const small = generateMarket({ seed: 1, now, listings: 120 })
    expect(small.listings).toHaveLength(120)
    expect(sorted(small.listings.filter(l => l.agent === DEMO_AGENT).map(l => l.status))).toEqual(STATUSES)
  })
})

describe('agents', () => {
  it('have their own emails in reserved domains, and Mexican phones', () => {
    expect(new Set(agents.map(a => a.email)).size).toBe(agents.length)
    for (const a of agents) {
      expect(a.email).toMatch(/^[a-z0-9.]+@(example\.com|lonja\.example)$/)
      if (a.phone !== null) expect(a.phone).toMatch(/^\+52\d{10}$/)
      if (a.agency !== null) expect(agencies[a.agency]).toBeDefined()
    }
  })

  it('include four unverified, one test account and one that is not public', () => {
    expect(agents.filter(a => !a.verified)).toHaveLength(4)
    expect(agents.filter(a => a.is_test)).toHaveLength(1)
    expect(agents.filter(a => a.verified && !a.in_directory)).toHaveLength(1)
    expect(agencies.filter(a => !a.active)).toHaveLength(1)
  })

  it('start with the demo agent: verified, public, with an agency, all seven statuses and leads', () => {
    const own = listings.filter(l => l.agent === DEMO_AGENT)
    expect(agents[DEMO_AGENT]).toMatchObject({
      email: DEMO_EMAIL,
      verified: true,
      in_directory: true,
      is_test: false,
      agency: expect.any(Number),
    })
    expect(own.length).toBeGreaterThanOrEqual(40)
    expect(sorted(own.map(l => l.status))).toEqual(STATUSES)
    expect(leads.filter(l => l.agent === DEMO_AGENT).length).toBeGreaterThanOrEqual(25)
  })
})

describe('listings', () => {
  const cents = (n: number): number => Math.round(n * 100) / 100

  it('respect the limits of the API: title, texts, images, identifiers', () => {
    for (const l of listings) {
      for (const title of [l.title, l.title_en ?? l.title]) {
        expect(title.length).toBeGreaterThanOrEqual(5)
        expect(title.length).toBeLessThanOrEqual(200)
      }
      expect(l.title_en === null).toBe(l.description_en === null)
      expect(`${l.title}${l.description}${l.title_en}${l.description_en}`).not.toMatch(
        /undefined|NaN|\[object| {2}/,
      )
      expect(l.images.length).toBeGreaterThanOrEqual(3)
      expect(l.images.length).toBeLessThanOrEqual(8)
      expect(new Set(l.images).size).toBe(l.images.length)
    }
    const ids = listings.flatMap(l => (l.external_id === null ? [] : [`${l.agent}/${l.external_id}`]))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('have a positive price with at most two decimals, and a currency and period only with a price', () => {
    for (const l of listings) {
      expect(l.sale_price ?? l.rent_price).not.toBeNull()
      expect(l.sale_price === null).toBe(l.sale_currency === null)
      expect(l.rent_price === null).toBe(l.rent_currency === null)
      expect(l.rent_price === null).toBe(l.rent_period === null)
      for (const price of [l.sale_price, l.rent_price].filter(p => p !== null)) {
        expect(price).toBeGreaterThan(0)
        expect(price).toBe(cents(price))
      }
      if (l.sale_price !== null && l.rent_price !== null && l.rent_period === 'monthly') {
        expect(l.rent_price / l.sale_price).toBeGreaterThan(0.003)
        expect(l.rent_price / l.sale_price).toBeLessThan(0.007)
      }
    }
  })

  it('are sold only if they were for sale, and rented only if they were for rent', () => {
    for (const l of listings) {
      if (l.status === 'sold') expect(l.sale_price).not.toBeNull()
      if (l.status === 'rented') expect(l.rent_price).not.toBeNull()
    }
  })

  it('have sizes that fit their type', () => {
    for (const l of listings) {
      if (l.property_type === 'land')
        expect([l.bedrooms, l.bathrooms, l.parking, l.construction_m2, l.year_built]).toEqual(
          Array(5).fill(null),
        )
      if (l.property_type === 'house' || l.property_type === 'apartment') {
        expect(l.bedrooms).toBeGreaterThanOrEqual(1)
        expect(l.bathrooms).toBeGreaterThanOrEqual(1)
      }
      expect(l.construction_m2 ?? l.lot_m2).toBeGreaterThan(0)
      if (l.year_built !== null) expect(l.year_built).toBeLessThanOrEqual(now.getUTCFullYear())
    }
  })

  it('name only canonical amenities, each once', () => {
    for (const l of listings) {
      expect(l.features.map(canonicalAmenity)).toEqual(l.features)
      expect(new Set(l.features).size).toBe(l.features.length)
    }
  })

  it('are in a city of a known state, inside Mexico, never at a placeholder point', () => {
    const names = new Set(STATES.map(s => s.name))
    for (const l of listings) {
      expect(names.has(l.state)).toBe(true)
      expect(l.city).not.toBe('')
      expect(l.neighborhood).not.toBe('')
      if (l.postal_code !== null) expect(l.postal_code).toMatch(/^\d{5}$/)
      expect(l.lat === null).toBe(l.lng === null)
      if (l.show_exact_address) expect([l.address, l.lat]).not.toContain(null)
      if (l.lat === null || l.lng === null) continue
      expect(l.lat).toBeGreaterThan(14)
      expect(l.lat).toBeLessThan(33.5)
      expect(l.lng).toBeGreaterThan(-119)
      expect(l.lng).toBeLessThan(-86)
      expect([l.lat, l.lng]).not.toEqual([23.634501, -102.552788])
    }
  })

  it('have postal codes that match their state', () => {
    const of = (state: string): string[] =>
      sorted(listings.flatMap(l => (l.state === state && l.postal_code ? [l.postal_code.slice(0, 2)] : [])))
    for (const prefix of of('Ciudad de México')) expect(Number(prefix)).toBeLessThanOrEqual(16)
    for (const prefix of of('Jalisco')) expect(['44', '45', '46', '47', '48', '49']).toContain(prefix)
    expect(of('Yucatán')).toEqual(['97'])
  })

  it('are created, then published, then updated, none before its agent; published ones were confirmed recently', () => {
    for (const l of listings) {
      expect(l.created_minutes_ago).toBeLessThanOrEqual(agentOf(l).created_days_ago * 1440)
      expect(l.updated_minutes_ago).toBeGreaterThanOrEqual(0)
      expect(l.created_minutes_ago).toBeGreaterThanOrEqual(l.published_minutes_ago ?? l.updated_minutes_ago)
      if (l.published_minutes_ago !== null)
        expect(l.published_minutes_ago).toBeGreaterThanOrEqual(l.updated_minutes_ago)
      if (l.status !== 'draft') expect(l.published_minutes_ago).not.toBeNull()
      if (l.status === 'published') expect(l.updated_minutes_ago).toBeLessThan(60 * 1440)
      for (const minutes of [l.created_minutes_ago, l.updated_minutes_ago])
        expect(Number.isInteger(minutes)).toBe(true)
    }
  })

  it('use the singular for one and the plural for several', () => {
    for (const l of listings) {
      expect(`${l.title} ${l.description}`).not.toMatch(/(?<![\d.,])1 (recámaras|baños|lugares|niveles)\b/)
      expect(`${l.title} ${l.description}`).not.toMatch(/(?:[2-9]|\d\d) (recámara|baño|lugar|nivel)\b/)
    }
  })

  it('of other agents that are visible number over 1,400', () => {
    expect(listings.filter(l => isVisible(l) && l.agent !== DEMO_AGENT).length).toBeGreaterThan(1400)
  })
})

describe('leads', () => {
  it('belong to the agent of their listing, after it was published', () => {
    for (const lead of leads) {
      if (lead.listing === null) continue
      const listing = listings[lead.listing] as DemoListing
      expect(lead.agent).toBe(listing.agent)
      expect(lead.created_minutes_ago).toBeLessThanOrEqual(listing.published_minutes_ago ?? 0)
    }
  })

  it('wait for identification exactly when they are showings with pending identification', () => {
    for (const lead of leads) {
      expect(lead.awaiting_id).toBe(lead.kind === 'tour' && lead.id_status === 'pending')
      expect(lead.kind === 'tour').toBe(lead.tour_status !== null)
      expect(lead.kind === 'tour').toBe(lead.tour_minutes_ago !== null)
      if (lead.showing_minutes_ago !== null) expect(lead.id_status).toBe('verified')
    }
  })

  it('have every status and both kinds, plausible times and budgets, and no real address', () => {
    expect(sorted(leads.map(l => l.status))).toEqual([
      'contacted',
      'lost',
      'negotiation',
      'new',
      'qualified',
      'showing',
      'won',
    ])
    expect(sorted(leads.map(l => l.kind))).toEqual(['info', 'tour'])
    for (const lead of leads) {
      expect(lead.updated_minutes_ago).toBeLessThanOrEqual(lead.created_minutes_ago)
      if (lead.budget_min !== null && lead.budget_max !== null)
        expect(lead.budget_min).toBeLessThanOrEqual(lead.budget_max)
      if (lead.email !== null) expect(lead.email).toMatch(/^[a-z0-9.]+@example\.com$/)
      expect(lead.source.length).toBeLessThanOrEqual(60)
    }
  })
})
