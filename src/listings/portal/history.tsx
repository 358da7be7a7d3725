import type { FastifyInstance } from 'fastify'
import type { Sql } from '../../db/database.ts'
import type { Lang, Words } from '../../lib/i18n.ts'
import { groupAmount } from '../../lib/money.ts'
import { cut } from '../../lib/text.ts'
import { PROPERTY_TYPES, RENT_PERIODS } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { type FieldChanges, type HistoryEntry, listHistory } from '../history.ts'
import type { OwnListing } from './inventory.ts'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'
import { fieldNames, historyWords } from './words.tsx'

const PAGE_SIZE = 50
/** Shown on the screen of the listing. */
const BRIEF = 4
const MAX_VALUE = 80

export function registerHistory(app: FastifyInstance, { db }: PortalDeps): void {
  app.get<ById>('/listings/:id/history', async (request, reply) => {
    const listing = await ownListing(db, request)
    const page = pageOf(request)
    const { hasMore, ...entries } = await listEntries(db, listing, page)
    const content = (
      <Panel>
        <HistoryList {...entries} />
        <Pager {...{ page, hasMore }} hrefOf={pageHref(`/portal/listings/${listing.id}/history`)} />
      </Panel>
    )
    return sendScreen(request, reply, screenOf(listing), withTabs(listing, 'history', content))
  })
}

export interface Entries {
  entries: HistoryEntry[]
  /** Undefined if there are older entries. */
  createdAt: Date | undefined
}

async function listEntries(db: Sql, { id, created_at }: Listing, page: number, size = PAGE_SIZE) {
  const { rows, hasMore } = pageFrom(await listHistory(db, id, rangeOf(page, size)), page, size)
  const isLast = !hasMore && (rows.length > 0 || page === 1)
  return { entries: rows, hasMore, createdAt: isLast ? created_at : undefined }
}

type Listing = Pick<OwnListing, 'id' | 'created_at'>

export const listLatest = (db: Sql, listing: Listing): Promise<Entries> => listEntries(db, listing, 1, BRIEF)

/** Newest first, ending with the creation, even for listings older than the history. */
export function HistoryList({ entries, createdAt, brief = false }: Entries & { brief?: boolean }) {
  const { t } = useVisit()
  return (
    <ol class="flex flex-col gap-4">
      {entries.map(entry => (
        <Entry key={entry.id} entry={entry} brief={brief} />
      ))}
      {createdAt && !entries.some(entry => entry.action === 'create') && (
        <li class="flex flex-wrap justify-between gap-x-4 text-sm">
          <span class="font-medium">{t('Creada', 'Created')}</span>
          <span class="text-base-content/75">
            <Time at={createdAt} />
          </span>
        </li>
      )}
    </ol>
  )
}

function Entry({ entry, brief }: { entry: HistoryEntry; brief: boolean }) {
  const { t } = useVisit()
  const names: Record<string, string> = fieldNames(t)
  const changes = inOrder(entry.fields, names)
  return (
    <li class="flex flex-col gap-1 text-sm">
      <div class="flex flex-wrap justify-between gap-x-4">
        <span class="font-medium">{historyWords(t)[entry.action]}</span>
        <span class="text-base-content/75">
          <Time at={entry.at} />
        </span>
      </div>
      <p class="text-base-content/75">
        {[entry.via === 'operator' ? null : entry.agent_name, viaWords(entry.via, t)]
          .filter(Boolean)
          .join(' · ')}
        {brief && changes.length > 0 && `: ${changes.map(([name]) => names[name] ?? name).join(', ')}`}
      </p>
      {!brief && changes.length > 0 && <ChangeList changes={entry.fields} />}
    </li>
  )
}

const inOrder = (changes: FieldChanges, names: Record<string, string>) => {
  const order = Object.keys(names)
  return Object.entries(changes).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
}

/** Each field with its value before and after. */
export function ChangeList({ changes }: { changes: FieldChanges }) {
  const { t, lang } = useVisit()
  const names: Record<string, string> = fieldNames(t)
  return (
    <dl class="mt-1 flex flex-col gap-1 border-l-2 border-base-300 pl-3">
      {inOrder(changes, names).map(([name, change]) => {
        const [before, after] = nearChange(change)
        return (
          <div key={name} class="min-w-0">
            <dt class="inline font-medium">{names[name] ?? name}: </dt>
            <dd class="inline break-words">
              {before !== null && (
                <>
                  <del class="text-base-content/75">{valueText(name, before, lang)}</del>
                  {' → '}
                </>
              )}
              <ins class="no-underline">{valueText(name, after, lang)}</ins>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const LEAD_IN = 20

/** Long texts from shortly before their first difference, which may be far behind what fits. */
function nearChange([before, after]: FieldChanges[string]): FieldChanges[string] {
  if (typeof before !== 'string' || typeof after !== 'string') return [before, after]
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const from = same - LEAD_IN
  if (from <= 0 || Math.max(before.length, after.length) <= MAX_VALUE) return [before, after]
  return [`…${before.slice(from)}`, `…${after.slice(from)}`]
}

const viaWords = (via: HistoryEntry['via'], t: Words) =>
  ({
    api: t('por la API', 'via API'),
    portal: t('en el portal', 'in the portal'),
    operator: t('el operador', 'the operator'),
    system: t('el sistema', 'the system'),
  })[via]

function valueText(name: string, value: unknown, lang: Lang): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? (lang === 'es' ? 'sí' : 'yes') : 'no'
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : '—'
  if (name === 'property_type') return labelIn(PROPERTY_TYPES, value, lang)
  if (name === 'rent_period') return labelIn(RENT_PERIODS, value, lang)
  if (/price$/.test(name)) return `$${groupAmount(Number(value))}`
  return cut(String(value), MAX_VALUE)
}

const labelIn = (labels: Record<string, { es: string; en: string }>, value: unknown, lang: Lang) =>
  labels[String(value)]?.[lang] ?? String(value)
