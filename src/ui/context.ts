import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Lang, Words } from '../lib/i18n.ts'

/** What the kit has to know of whoever reads a page. Both shells provide it: the portal's and the site's. */
export interface Reader {
  lang: Lang
  t: Words
  /** Where forms are guarded by one. */
  formToken?: string
}

export const TOKEN_FIELD = '_token'

export const ReaderContext = createContext<Reader | undefined>(undefined)

export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (!reader) throw new Error('a component of the kit was drawn outside a page')
  return reader
}
