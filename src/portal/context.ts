import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Visit } from './visit.ts'

export const VisitContext = createContext<Visit | undefined>(undefined)

/** Gives components the texts, the language and the signed-in agent without prop drilling. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext)
  if (!visit) throw new Error('a portal component was drawn outside sendScreen')
  return visit
}
