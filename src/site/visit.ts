import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { BaseMap } from '../http/base-map.ts'
import { type Lang, type Words, wordsIn } from '../lib/i18n.ts'

/** One page view. */
export interface Visit {
  lang: Lang
  t: Words
  publicUrl: string
  /** Without the language prefix: the same path in both languages. */
  path: string
  baseMap: BaseMap
}

export const visitOf = (site: { publicUrl: string; baseMap?: BaseMap }, lang: Lang, path: string) => ({
  lang,
  t: wordsIn(lang),
  publicUrl: site.publicUrl,
  baseMap: site.baseMap ?? {},
  path,
})

/** Paths translated into English; all others are the same under /en. */
const ENGLISH: Record<string, string> = {
  privacidad: 'privacy',
  identificacion: 'identification',
  baja: 'unsubscribe',
  avisos: 'alerts',
  favoritos: 'favorites',
  comparar: 'compare',
}

export function localPath(lang: Lang, path: string): string {
  if (lang === 'es') return path
  if (path === '/' || path.startsWith('/?')) return `/en${path.slice(1)}`
  return `/en${path.replace(/^\/([a-z]+)(?=[/?]|$)/, (whole, word) => (ENGLISH[word] ? `/${ENGLISH[word]}` : whole))}`
}

export const VisitContext = createContext<Visit | undefined>(undefined)

export function useVisit(): Visit & { to(path: string): string } {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('a page is rendered inside its visit')
  return { ...visit, to: path => localPath(visit.lang, path) }
}
