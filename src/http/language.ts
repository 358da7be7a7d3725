import type { FastifyRequest } from 'fastify'
import type { Lang } from '../lib/i18n.ts'

const isLang = (text: string | null | undefined): text is Lang => text === 'es' || text === 'en'

/** The language of the response: `?lang=`, else the header, else English. */
export function languageOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Lang {
  const asked = query instanceof URLSearchParams ? query.get('lang') : undefined
  return isLang(asked) ? asked : preferredIn(headers['accept-language'] ?? '')
}

/** `es-MX,es;q=0.9,en;q=0.8` prefers Spanish; the first wins a tie. */
function preferredIn(header: string): Lang {
  const wanted = header.split(',').map(entry => {
    const [range = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase())
    const quality = parameters.find(part => part.startsWith('q='))?.slice(2)
    return { lang: range.split('-', 1)[0], quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const best = wanted
    .filter(({ lang, quality }) => isLang(lang) && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]
  return isLang(best?.lang) ? best.lang : 'en'
}
