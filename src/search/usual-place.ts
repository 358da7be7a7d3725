import { foldText } from '../lib/text.ts'
import { aliasOf } from './places/aliases.ts'
import { alternativesOf } from './places/place.ts'
import { titled } from './understand/gazetteer.ts'

/** Aliases are folded: names that capital letters alone do not bring back. */
const SPELLED: Record<string, string> = {
  'tuxtla gutierrez': 'Tuxtla Gutiérrez',
  zmg: 'Zona Metropolitana de Guadalajara',
}

/** A typed place by its usual name: "gdl" is Guadalajara. What may be several places stays as it was typed. */
export const usualPlace = (typed: string): string => typed.split(',').map(usualPart).join(', ')

const usualPart = (part: string): string =>
  alternativesOf(part.trim())
    .map(usualName)
    .join(/ or /i.test(part) ? ' or ' : ' o ')

function usualName(typed: string): string {
  const folded = foldText(typed)
  const meant = aliasOf(folded)
  const [one, ...others] = [...(meant?.states ?? []), ...(meant?.names?.map(spelled) ?? [])]
  return SPELLED[folded] ?? (one === undefined || others.length > 0 ? typed : one)
}

const spelled = (folded: string): string => SPELLED[folded] ?? titled(folded)
