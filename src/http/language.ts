import type { FastifyRequest } from 'fastify'
import type { Lang } from '../lib/i18n.ts'
import { weightedValues } from './headers.ts'

const isLang = (text: string | null | undefined): text is Lang => text === 'es' || text === 'en'

/** The language of the response: `?lang=`, else the header, else English. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Lang {
  const asked = query instanceof URLSearchParams ? query.get('lang') : undefined
  return isLang(asked) ? asked : preferredIn(headers['accept-language'] ?? '')
}

/** `es-MX,es;q=0.9,en;q=0.8` prefers Spanish; the first wins a tie. */
function preferredIn(header: string): Lang {
  const best = weightedValues(header)
    .map(({ value, weight }) => ({ lang: value.split('-', 1)[0], weight }))
    .filter(({ lang, weight }) => isLang(lang) && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]
  return isLang(best?.lang) ? best.lang : 'en'
}
