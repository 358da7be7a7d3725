import { filled, number, orBlank, readAll } from '../lib/fields.ts'
import type { Lang } from '../lib/i18n.ts'

/** Smallest and largest value of each limit. Unset, the environment or the default applies. */
export const LIMITS = {
  /** Requests per key in ten minutes. */
  rate_limit: { min: 10, max: 1_000_000 },
  /** Forms of visitors per address in ten minutes. */
  forms_per_address: { min: 1, max: 1_000 },
  upload_files: { min: 20, max: 1_000_000 },
  upload_mb: { min: 20, max: 1_000_000 },
  upload_unverified_mb: { min: 1, max: 1_000_000 },
} as const

export type LimitName = keyof typeof LIMITS
export const limitNames = Object.keys(LIMITS) as LimitName[]
export type Limits = Record<LimitName, number>
/** Null: the default. */
export type ChosenLimits = Record<LimitName, number | null>

/** Text of the privacy notice, as `ui/prose.tsx` renders it. */
export type Notice = Record<Lang, string>

const limitFields = Object.fromEntries(
  limitNames.map(name => [name, orBlank(number({ ...LIMITS[name], decimals: 0 }))]),
) as Record<LimitName, ReturnType<typeof orBlank<number>>>

/** Separators are allowed; an empty field is the default. Throws every issue. */
export function readLimits(form: URLSearchParams): ChosenLimits {
  const sent = limitNames.map(name => {
    const text = (form.get(name) ?? '').trim()
    const isWhole = /^(\d{1,9}|\d{1,3}(,\d{3}){1,2})$/.test(text)
    return [name, isWhole ? Number(text.replaceAll(',', '')) : text]
  })
  return readAll(limitFields, Object.fromEntries(sent))
}

const NOTICE_LENGTH = { min: 200, max: 20_000 }
export const NOTICE_MAX = NOTICE_LENGTH.max

export function readNotice(form: URLSearchParams): Notice {
  const { notice_es, notice_en } = readAll(
    { notice_es: filled(NOTICE_LENGTH), notice_en: filled(NOTICE_LENGTH) },
    { notice_es: form.get('notice_es') ?? '', notice_en: form.get('notice_en') ?? '' },
  )
  return { es: notice_es, en: notice_en }
}
