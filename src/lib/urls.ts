import ipaddr from 'ipaddr.js'
import type { Field } from './fields.ts'

export const MAX_URL = 2_048

/** An http(s) URL that any browser could load: no credentials, no private or unusual host. Nothing is fetched. */
function isPublicUrl(text: string): boolean {
  const url = parseUrl(text)
  if (url?.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast'
  return host.includes('.') && !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host)
}

export function isWebUrl(text: string): boolean {
  return parseUrl(text) !== undefined
}

function parseUrl(text: string): URL | undefined {
  // URL() silently removes tabs and line breaks and replaces lone surrogates: reject such input before parsing.
  if ([...text].length > MAX_URL || !text.isWellFormed() || /[\s\p{Cc}\\]/u.test(text)) return undefined
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url && url.hostname !== '' ? url : undefined
}

export const publicUrlField: Field<string> = {
  schema: { type: 'string', format: 'uri', maxLength: MAX_URL },
  read(value, fail) {
    const url = typeof value === 'string' ? value.trim() : ''
    return isPublicUrl(url) ? url : void fail('not_a_public_url', { max: MAX_URL })
  },
}
