import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { findOwn } from './inventory.ts'
import { isChanged, readTransition } from './transitions.ts'
import type { AgentTransition } from './words.tsx'

export const BULK_EDIT_PATH = '/portal/listings/bulk-edit'
/** More than a page holds; bounds handcrafted requests. */
export const BULK_LIMIT = 100

export function registerBulk(app: FastifyInstance, { db }: PortalDeps): void {
  formRoute(app, {
    path: '/listings/bulk',
    run: async request => {
      const { form } = request
      const ids = [...new Set(form.getAll('id'))].slice(0, BULK_LIMIT)
      if (ids.length === 0) return undefined
      const action = form.get('action') ?? ''
      const isReconfirmed = action === 'reconfirm'
      const by = readTransition(request, isReconfirmed ? 'publish' : action)
      return changeAll(db, signedIn(request).id, { ids, by, onlyPublished: isReconfirmed })
    },
    done: ({ form, visit: { t } }, reply, result) =>
      goTo(reply, ownPath(form.get('back'), '/portal/listings'), flashOf(result, t)),
  })
}

interface Wanted {
  ids: string[]
  by: AgentTransition
  onlyPublished: boolean
}

interface Result {
  done: number
  refused: number
}

/** One transaction each, so a failure does not block the rest. */
async function changeAll(db: Db, agentId: string, { ids, by, onlyPublished }: Wanted): Promise<Result> {
  let done = 0
  for (const id of ids) {
    const listing = await findOwn(db, agentId, id)
    if (!listing || (onlyPublished && listing.status !== 'published')) continue
    if (await isChanged(db, agentId, listing, by)) done++
  }
  return { done, refused: ids.length - done }
}

function flashOf(result: Result | undefined, t: Words) {
  if (!result) return nothingSelected(t)
  const { done, refused } = result
  const parts = [
    done > 0 ? t(`Listo: ${done}.`, `Done: ${done}.`) : '',
    refused > 0
      ? t(
          `Sin cambio: ${refused} (por su estatus, o porque les falta el precio).`,
          `Unchanged: ${refused} (because of their status or a missing price).`,
        )
      : '',
  ]
  return {
    kind: refused > 0 ? ('warning' as const) : ('success' as const),
    text: parts.filter(Boolean).join(' '),
  }
}

export const nothingSelected = (t: Words) => ({
  kind: 'warning' as const,
  text: t('Selecciona al menos una propiedad.', 'Select at least one listing.'),
})

/** Those offered for many listings at once. */
export function useTransitions() {
  const { t, agent } = useVisit()
  return [
    ...(agent?.isVerified ? [{ value: 'publish', label: t('Publicar', 'Publish') }] : []),
    { value: 'unpublish', label: t('Despublicar', 'Unpublish') },
    { value: 'withdraw', label: t('Retirar', 'Withdraw') },
  ]
}

export function BulkBar() {
  const { t, agent } = useVisit()
  const reconfirm = { value: 'reconfirm', label: t('Reconfirmar', 'Reconfirm') }
  const actions = [...useTransitions(), ...(agent?.isVerified ? [reconfirm] : [])]
  return (
    <fieldset class="flex flex-wrap items-center gap-2 text-sm">
      <legend class="sr-only">{t('Acciones en bloque', 'Bulk actions')}</legend>
      <label class="mr-2 flex cursor-pointer items-center gap-2" hidden data-select-all>
        <input type="checkbox" class="checkbox checkbox-sm" />
        {t('Seleccionar todas', 'Select all')}
      </label>
      <span class="text-base-content/75">
        {t('Con las seleccionadas', 'With selected')}
        <output class="ml-1 font-medium empty:hidden" data-selected />:
      </span>
      <select name="action" class="select select-sm w-auto" aria-label={t('Acción', 'Action')}>
        {actions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" class="btn btn-sm">
        {t('Aplicar', 'Apply')}
      </button>
      <button type="submit" class="btn btn-sm" formaction={BULK_EDIT_PATH}>
        {t('Editar varias…', 'Edit several…')}
      </button>
    </fieldset>
  )
}
