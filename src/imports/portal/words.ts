import type { Lang, Words } from '../../lib/i18n.ts'
import type { Issue, Wording } from '../../lib/issue.ts'
import { pageWords } from '../../lib/page-words.ts'
import { cut } from '../../lib/text.ts'
import { LISTING_WORDING } from '../../listings/portal/wording.ts'
import { type Column, isTarget, type Target, targetName } from '../columns.ts'
import type { Staged } from '../row.ts'
import type { Phase, Result } from '../rules.ts'

const ROW_WORDING: Wording = {
  ...LISTING_WORDING,
  unknown_state: { es: 'no es un estado de México', en: 'is not a Mexican state' },
  price_required: {
    es: 'falta el precio de venta o de renta',
    en: 'the sale price or the rent is missing',
  },
  not_a_price: {
    es: 'no es una cantidad clara; escribe, por ejemplo, 1,250,000 o 1.25 MDP',
    en: 'is not a clear amount; write, for example, 1,250,000 or 1.25 MDP',
  },
  required: { es: 'falta', en: 'is missing' },
}

/** Fields that a column for both may have filled. */
const INSTEAD: Partial<Record<string, Target>> = {
  sale_price: 'price',
  rent_price: 'price',
  sale_currency: 'currency',
  rent_currency: 'currency',
  lat: 'coordinates',
  lng: 'coordinates',
}

/** The header of the column an issue is about, or the name of the field if the file has none for it. */
export function columnName(field: string, columns: readonly Column[], t: Words): string {
  const headerOf = (target: string | undefined) => columns.find(column => column.target === target)?.header
  return headerOf(field) ?? headerOf(INSTEAD[field]) ?? (isTarget(field) ? targetName(field, t) : '')
}

/** What is wrong, without the name of the column, with what the cell says. */
export function cellWords(issue: Issue, lang: Lang): string {
  const words = pageWords(issue, lang, ROW_WORDING)
  const { sent } = issue
  const isQuoted = typeof sent === 'string' && sent !== '' && !words.includes('«') && !words.includes('“')
  return isQuoted ? `${words} (${lang === 'es' ? 'dice' : 'it says'} «${cut(sent)}»)` : words
}

export const rowWords = (issue: Issue, columns: readonly Column[], lang: Lang, t: Words): string =>
  [columnName(issue.field, columns, t), cellWords(issue, lang)].filter(Boolean).join(': ')

export const phaseWords = (t: Words): Record<Phase, string> => ({
  reading: t('Leyendo el archivo', 'Reading the file'),
  columns: t('Falta revisar las columnas', 'Columns to review'),
  checking: t('Revisando las filas', 'Checking the rows'),
  ready: t('Lista para confirmar', 'Ready to confirm'),
  running: t('Importando', 'Importing'),
  done: t('Terminada', 'Finished'),
  undoing: t('Deshaciendo', 'Undoing'),
  undone: t('Deshecha', 'Undone'),
  failed: t('No se pudo leer', 'Could not be read'),
  canceled: t('Cancelada', 'Canceled'),
})

export const PHASE_TONES = {
  reading: 'info',
  columns: 'warning',
  checking: 'info',
  ready: 'warning',
  running: 'info',
  done: 'success',
  undoing: 'info',
  undone: 'neutral',
  failed: 'error',
  canceled: 'neutral',
} as const satisfies Record<Phase, string>

type ResultWords = Record<Result, { all: string; one: string }>

/** What the run would do, or did: of all rows, and of one. */
export const resultWords = (t: Words, isPlan: boolean): ResultWords => ({
  ...(isPlan
    ? {
        created: { all: t('Se crearán', 'To create'), one: t('Se creará', 'To create') },
        changed: { all: t('Cambiarán', 'To change'), one: t('Cambiará', 'To change') },
        unpublished: {
          all: t('Se despublicarán', 'To unpublish'),
          one: t('Se despublicará', 'To unpublish'),
        },
      }
    : {
        created: { all: t('Creadas', 'Created'), one: t('Creada', 'Created') },
        changed: { all: t('Cambiadas', 'Changed'), one: t('Cambiada', 'Changed') },
        unpublished: { all: t('Despublicadas', 'Unpublished'), one: t('Despublicada', 'Unpublished') },
      }),
  unchanged: { all: t('Sin cambios', 'Unchanged'), one: t('Sin cambios', 'Unchanged') },
  refused: { all: t('Rechazadas', 'Rejected'), one: t('Rechazada', 'Rejected') },
})

export const RESULT_TONES = {
  created: 'success',
  changed: 'info',
  unchanged: 'neutral',
  unpublished: 'warning',
  refused: 'error',
} as const satisfies Record<Result, string>

/** The cells of a spreadsheet; a record of another system has none. */
export const cellsOf = (staged: Staged): readonly string[] => (Array.isArray(staged) ? staged : [])

/** Of the listing a row is about. */
export function titleOf(staged: Staged, columns: readonly Column[]): string | undefined {
  if (Array.isArray(staged)) return staged[columns.findIndex(({ target }) => target === 'title')]
  return 'set' in staged && typeof staged.set.title === 'string' ? staged.set.title : undefined
}
