import { foldText } from '../../lib/text.ts'

/** Common names of places that no listing has as its city, and the cities, neighborhoods or states they mean. */
export interface Meant {
  states?: readonly string[]
  /** Cities, municipalities or neighborhoods, by prefix of their folded names. */
  names?: readonly string[]
}

const ALIASES: Record<string, Meant> = {
  'cdmx, df, ciudad de mexico, ciudad mexico, mexico city, distrito federal, el df, d f': {
    states: ['Ciudad de México'],
  },
  'edomex, edo mex, edo de mexico, estado de mexico, edo de mex': { states: ['Estado de México'] },
  'gdl, guanatos': { names: ['guadalajara'] },
  zmg: { names: ['guadalajara', 'zapopan', 'tlaquepaque', 'san pedro tlaquepaque', 'tonala', 'tlajomulco'] },
  'mty, regio': { names: ['monterrey'] },
  'qro, queretaro city': { states: ['Querétaro'] },
  'n l': { states: ['Nuevo León'] },
  'q roo, qroo': { states: ['Quintana Roo'] },
  's l p, slp': { states: ['San Luis Potosí'] },
  'bcs, b c s, baja sur': { states: ['Baja California Sur'] },
  'los cabos, cabo': { names: ['los cabos', 'cabo san lucas', 'san jose del cabo'] },
  'riviera maya, mayan riviera': {
    names: ['playa del carmen', 'tulum', 'puerto morelos', 'puerto aventuras', 'akumal', 'bahia petempich'],
  },
  pdc: { names: ['playa del carmen'] },
  'riviera nayarit': {
    names: ['nuevo vallarta', 'bucerias', 'sayulita', 'punta de mita', 'la cruz de huanacaxtle'],
  },
  'vallarta, pv, pvr': { names: ['puerto vallarta'] },
  'sma, san miguel de allende': { names: ['san miguel de allende'] },
  'comarca lagunera, la laguna': { names: ['torreon', 'gomez palacio', 'lerdo'] },
  cholula: { names: ['san andres cholula', 'san pedro cholula', 'cholula'] },
  tlaquepaque: { names: ['san pedro tlaquepaque', 'tlaquepaque'] },
  'san pedro': { names: ['san pedro garza garcia', 'san pedro'] },
  tuxtla: { names: ['tuxtla gutierrez'] },
  'san cristobal, san cris': { names: ['san cristobal de las casas', 'san cristobal'] },
  neza: { names: ['nezahualcoyotl', 'ciudad nezahualcoyotl'] },
  vhsa: { names: ['villahermosa'] },
  gam: { names: ['gustavo a. madero', 'gustavo a madero'] },
  'tij, tj': { names: ['tijuana'] },
  juarez: { names: ['ciudad juarez', 'juarez', 'benito juarez'] },
  obregon: { names: ['ciudad obregon', 'obregon', 'alvaro obregon'] },
  'baja, baja california norte': { states: ['Baja California'] },
  'la paz bcs': { names: ['la paz'] },
  'el centro, downtown': { names: ['centro'] },
  'yucatan peninsula, peninsula de yucatan': { states: ['Yucatán', 'Quintana Roo', 'Campeche'] },
}

const byName = new Map(
  Object.entries(ALIASES).flatMap(([names, meant]) =>
    names.split(',').map(name => [foldText(name), meant] as const),
  ),
)

export const aliasOf = (folded: string): Meant | undefined => byName.get(folded)
/** All names of each meaning, the usual one first. */
export const aliasGroups: readonly { names: string[]; meant: Meant }[] = Object.entries(ALIASES).map(
  ([names, meant]) => ({ names: names.split(',').map(foldText), meant }),
)
export const aliasNames = (): Iterable<string> => byName.keys()
