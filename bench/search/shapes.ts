/** A kind of query; `query` draws a random one, so that answers differ. */
export interface Shape {
  name: string
  query: (n: number) => string
}

const STATES = ['Jalisco', 'Nuevo León', 'Yucatán', 'Puebla', 'Quintana Roo', 'Querétaro', 'Guanajuato']
const CITIES = ['guadalajara', 'monterrey', 'merida', 'puebla', 'cancun', 'leon', 'tijuana']
const POINTS = [
  'lat=20.67&lng=-103.35',
  'lat=25.68&lng=-100.31',
  'lat=20.97&lng=-89.62',
  'lat=19.43&lng=-99.13',
]
const BOXES = [
  'sw_lat=20.6&sw_lng=-103.45&ne_lat=20.75&ne_lng=-103.25',
  'sw_lat=25.6&sw_lng=-100.4&ne_lat=25.75&ne_lng=-100.2',
  'sw_lat=19.3&sw_lng=-99.25&ne_lat=19.5&ne_lng=-99.05',
]
const WORDS = ['casa', 'alberca', 'jardín', 'terraza', 'departamento', 'céntrica', 'chimenea', 'playa']
const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
const words = (n: number, count: number) =>
  `q=${encodeURIComponent(Array.from({ length: count }, (_, i) => at(WORDS, n + i * 3)).join(' '))}`

/** `pages` is the total number of pages: deep ones are drawn from all of them. */
export const shapes = (pages: number): Shape[] => [
  { name: 'everything', query: n => `page=${1 + (n % 20)}` },
  { name: 'everything, any page', query: n => `page=${1 + ((n * 7919) % pages)}` },
  {
    name: 'operation',

    query: n => `operation=${at(['sale', 'rental'], n)}&page=${1 + (n % 5)}`,
  },
  {
    name: 'type',

    query: n => `type=${at(['house', 'apartment', 'land'], n)}&page=${1 + (n % 5)}`,
  },
  { name: 'state', query: n => `state=${at(STATES, n)}&page=${1 + (n % 3)}` },
  { name: 'city', query: n => `city=${at(CITIES, n)}&page=${1 + (n % 3)}` },
  {
    name: 'price range',

    query: n => `min_price=${1 + (n % 4)}000000&max_price=${5 + (n % 3)}000000`,
  },
  {
    name: 'sale, 3+ bedrooms',

    query: n => `operation=sale&min_bedrooms=3&page=${1 + (n % 5)}`,
  },
  { name: 'built area', query: n => `min_construction=${100 + (n % 10) * 40}` },
  {
    name: 'two amenities',
    query: n => `features=Alberca&features=${at(['Jardín', 'Gimnasio', 'Terraza'], n)}`,
  },
  {
    name: 'state, type, price, bedrooms',
    query: n =>
      `state=${at(STATES, n)}&type=house&operation=sale&min_price=2000000&max_price=4000000&min_bedrooms=3`,
  },
  { name: 'one word', query: n => `${words(n, 1)}&page=${1 + (n % 3)}` },
  { name: 'two words by relevance', query: n => `${words(n, 2)}&sort=relevance` },
  { name: 'three words by relevance', query: n => `${words(n, 3)}&sort=relevance` },
  { name: 'four words in a state', query: n => `${words(n, 4)}&state=${at(STATES, n)}` },
  { name: 'radius of 5 km', query: n => `${at(POINTS, n)}&radius_km=5` },
  { name: 'radius of 100 km', query: n => `${at(POINTS, n)}&radius_km=100` },
  { name: 'rectangle, rent', query: n => `${at(BOXES, n)}&operation=rental&sort=price_asc` },
  { name: 'cheapest first', query: n => `sort=price_asc&page=${1 + (n % 10)}` },
  {
    name: 'highest rents, any page',

    query: n => `operation=rental&sort=price_desc&page=${1 + ((n * 97) % Math.ceil(pages / 5))}`,
  },
  { name: 'recently changed', query: n => `updated_since=2026-01-${10 + (n % 10)}T00:00:00Z&sort=updated` },
]

/** Varies the wording of each query, so that the cache of whole answers does not help. */
export function unique(query: string, n: number): string {
  const time = new Date(n).toISOString().slice(11)
  return query.includes('updated_since')
    ? query.replace('00:00:00Z', time)
    : `${query}&updated_since=2000-01-01T${time}`
}
