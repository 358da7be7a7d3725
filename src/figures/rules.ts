/** What is counted of a listing, in the order of the counters. */
export const KINDS = ['views', 'contacts', 'favorites', 'shares', 'appearances'] as const
export type Kind = (typeof KINDS)[number]

export const SOURCES = ['site', 'search', 'social', 'other', 'collection', 'widget'] as const
export type Source = (typeof SOURCES)[number]

const HOUR_MS = 3_600_000
/** Central Mexico has been six hours behind UTC all year since 2022. */
const dayNumber = (now: number): number => Math.floor((now - 6 * HOUR_MS) / (24 * HOUR_MS))
const dayText = (day: number): string => new Date(day * 24 * HOUR_MS).toISOString().slice(0, 10)
export const dayAt = (now: number): string => dayText(dayNumber(now))
/** The last days until today, oldest first. */
export const daysUntil = (now: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => dayText(dayNumber(now) - count + 1 + i))

/** Programs say what they are, or say nothing. Browsers that render pages for programs are programs too. */
const ROBOTS =
  /bot\b|bot[/_;-]|crawl|spider|slurp|preview|scan|fetch|monitor|lighthouse|headless|phantom|python|curl|wget|java\/|okhttp|go-http|axios|node|ruby|perl|php|libwww|httpclient|facebookexternalhit|whatsapp|telegram|embedly|archiver|validator|^$/i
export const isRobot = (agent: string | undefined): boolean => ROBOTS.test(agent ?? '')

const SEARCH_ENGINES = /(^|\.)(google|bing|duckduckgo|yahoo|ecosia|yandex|baidu|brave)\./
const SOCIAL =
  /(^|\.)(facebook|instagram|twitter|x|t|tiktok|linkedin|pinterest|whatsapp|youtube|reddit)\.(com|co)$/

/** Only the kind of site is kept, never the address. Without a referrer the visitor came directly: to our site. */
export function sourceOf(referrer: string | undefined, ownHost: string): Source {
  const host = referrer && URL.canParse(referrer) ? new URL(referrer).host.toLowerCase() : ''
  if (host === '' || host === ownHost) return 'site'
  if (SEARCH_ENGINES.test(host)) return 'search'
  return SOCIAL.test(host) ? 'social' : 'other'
}
