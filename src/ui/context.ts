import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Lang, Words } from '../lib/i18n.ts'

/** What UI components need to know about the visitor. Provided by the portal and site shells. */
export interface Reader {
  lang: Lang
  t: Words
  /** CSRF token, where forms require one. */
  formToken?: string
}

export const TOKEN_FIELD = '_token'

export const ReaderContext = createContext<Reader | undefined>(undefined)

export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (!reader) throw new Error('a component of the kit was drawn outside a page')
  return reader
}
