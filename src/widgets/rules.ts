import { type Field, oneOf, type Patch, text } from '../lib/fields.ts'
import type { Words } from '../lib/i18n.ts'

export const MAX_WIDGETS = 20
const MAX_DOMAINS = 20
/** How many listings a widget shows; a link leads to the rest. */
export const SHOWN_LISTINGS = 12

const WIDGET_KINDS = ['listings', 'inquiry'] as const
export type WidgetKind = (typeof WIDGET_KINDS)[number]

export const kindWords = (t: Words): Record<WidgetKind, string> => ({
  listings: t('Mis propiedades', 'My listings'),
  inquiry: t('Formulario de contacto', 'Contact form'),
})

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOST = new RegExp(`^(?:localhost|${LABEL}(?:\\.${LABEL})+)(?::\\d{1,5})?$`)

/** `www.example.com` from whatever people paste: full URLs, capitals, accented letters. */
function hostOf(pasted: string): string | undefined {
  const address = /^https?:\/\//i.test(pasted) ? pasted : `https://${pasted}`
  if (!URL.canParse(address)) return undefined
  const { host, hostname, username, password } = new URL(address)
  const isOne = HOST.test(host) && hostname.length <= 253
  return isOne && username === '' && password === '' ? host : undefined
}

/** One domain per line, or separated by commas. They end up in a header, so only names and ports pass. */
const domains: Field<string[]> = {
  schema: { type: 'string' },
  read(value, fail) {
    if (typeof value !== 'string') return void fail('not_text')
    const pasted = value.split(/[\s,]+/).filter(part => part !== '')
    if (pasted.length === 0) return void fail('empty')
    const hosts = pasted.map(part => hostOf(part))
    const wrong = hosts.indexOf(undefined)
    if (wrong !== -1) {
      return void fail('not_a_domain', { value: (pasted[wrong] as string).slice(0, 80) })
    }
    const all = [...new Set(hosts as string[])]
    return all.length > MAX_DOMAINS ? void fail('too_many_domains', { max: MAX_DOMAINS }) : all
  },
}

export const widgetFields = {
  name: { ...text({ min: 1, max: 80 }), nullable: false } as Field<string>,
  kind: oneOf(WIDGET_KINDS),
  domains,
  lang: oneOf(['es', 'en'] as const),
}
export type WidgetPatch = Patch<typeof widgetFields>

export const sourceOf = (widgetId: string): `widget:${string}` => `widget:${widgetId}`

/** Hosts for trying out a site locally. */
const isLocal = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(host)

/** CSP frame-ancestors. Plain http is allowed only for local hosts. */
export function frameAncestors(hosts: readonly string[]): string {
  const sources = hosts.flatMap(host => {
    if (!isLocal(host)) return [`https://${host}`]
    const any = host.includes(':') ? host : `${host}:*`
    return [`http://${any}`, `https://${any}`]
  })
  return sources.length > 0 ? sources.join(' ') : "'none'"
}

/** Whether the URL is on one of the domains. */
export function isAllowedPage(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname } = new URL(address)
  return hosts.some(allowed => {
    if (isLocal(allowed)) return allowed.includes(':') ? host === allowed : hostname === allowed
    return protocol === 'https:' && host === allowed
  })
}
