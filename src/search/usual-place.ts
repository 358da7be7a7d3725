import { foldText } from '../lib/text.ts'
import { aliasOf } from './places/aliases.ts'
import { alternativesOf } from './places/place.ts'
import { titled } from './understand/gazetteer.ts'

const SPELLED = new Map([['zmg', 'Zona Metropolitana de Guadalajara']])

/** A typed place by its usual name: "gdl" is Guadalajara. What may be several places stays as it was typed. */
export const usualPlace = (typed: string): string => typed.split(',').map(usualPart).join(', ')

/** "Roma Norte, Condesa o Juárez". */
function usualPart(part: string): string {
  const names = alternativesOf(part).map(usualName)
  const last = names.pop() ?? ''
  return names.length === 0 ? last : `${names.join(', ')} ${/ or /i.test(part) ? 'or' : 'o'} ${last}`
}

function usualName(typed: string): string {
  const folded = foldText(typed)
  const meant = aliasOf(folded)
  const [one, ...others] = [...(meant?.states ?? []), ...(meant?.names?.map(titled) ?? [])]
  return SPELLED.get(folded) ?? (one === undefined || others.length > 0 ? typed : one)
}
