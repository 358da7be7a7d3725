import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Visit } from './visit.ts'

export const VisitContext = createContext<Visit | undefined>(undefined)

/** For components: the words, the language and whoever is signed in, without handing them down. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('a portal component was drawn outside sendScreen')
  return visit
}
