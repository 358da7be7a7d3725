import type { Lang } from '../lib/i18n.ts'
import { localPath } from './visit.ts'

export const pageOf = (query: URLSearchParams): number => {
  const page = query.get('page') ?? '1'
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

export const pageHref = (path: string, lang: Lang) => (page: number) =>
  localPath(lang, page > 1 ? `${path}?page=${page}` : path)
