import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Refusal } from '../../portal/refusal.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { applyBulkEdit, type BulkEdit, type Outcome, planBulkEdit, readBulkEdit } from '../bulk-edit.ts'
import { type ListingRow, listOwnByIds } from '../service.ts'
import { BULK_LIMIT, nothingSelected } from './bulk.tsx'
import { BulkEditForm } from './bulk-edit-form.tsx'
import { Preview, Results } from './bulk-edit-outcomes.tsx'
import { readTransition } from './transitions.ts'

/**
 * Form, preview and result are answers to the same form. What is applied was seen in the preview: each listing is sent
 * with its version there, so that sending it again changes nothing.
 */
export function registerBulkEdit(app: FastifyInstance, { db }: PortalDeps): void {
  formRoute(app, {
    path: '/listings/bulk-edit',
    bodyLimit: LONG_FORM_BYTES,
    read: request => selected(db, request),
    run: async (request, listings) => {
      const step = request.form.get('step')
      if (step !== 'preview' && step !== 'apply') return undefined
      const edit = readEdit(request)
      const isApplied = step === 'apply'
      const outcomes = isApplied
        ? await applyAll(db, request.form, listings, edit)
        : listings.map(listing => planBulkEdit(listing, edit))
      return { outcomes, isApplied }
    },
    redraw: sendForm,
    done: (request, reply, result, listings) => {
      const { t } = request.visit
      if (listings.length === 0) return goTo(reply, '/portal/listings', nothingSelected(t))
      if (!result) return sendForm(request, reply, { values: request.form, errors: [] }, listings)
      const { outcomes, isApplied } = result
      const title = isApplied ? t('Cambios aplicados', 'Changes applied') : t('Vista previa', 'Preview')
      const content = isApplied ? (
        <Results outcomes={outcomes} />
      ) : (
        <Preview outcomes={outcomes} sent={request.form} />
      )
      return sendScreen(request, reply, { title, section: 'listings' }, content)
    },
  })
}

function sendForm(request: FastifyRequest, reply: FastifyReply, shown: Rejected, listings: ListingRow[]) {
  const { t } = request.visit
  const title = t('Editar varias propiedades', 'Edit several listings')
  return sendScreen(
    request,
    reply,
    { title, section: 'listings' },
    <BulkEditForm listings={listings} {...shown} />,
  )
}

async function selected(db: Db, request: FastifyRequest): Promise<ListingRow[]> {
  const ids = [...new Set(request.form.getAll('id'))]
  if (ids.length > BULK_LIMIT) {
    const { t } = request.visit
    throw new Refusal(
      'bad_request',
      t(
        `Elige ${BULK_LIMIT} propiedades como máximo a la vez.`,
        `Choose at most ${BULK_LIMIT} listings at a time.`,
      ),
    )
  }
  return listOwnByIds(db, signedIn(request).id, ids)
}

function readEdit(request: FastifyRequest): BulkEdit {
  const { form } = request
  const text = (name: string) => form.get(name) ?? ''
  const asked = text('transition')
  return readBulkEdit(
    {
      price_by: text('price_by'),
      price_unit: text('price_unit'),
      price_of: text('price_of'),
      price_round: text('price_round'),
      add: form.getAll('add'),
      remove: form.getAll('remove'),
      text_do: text('text_do'),
      text_in: text('text_in'),
      phrase: text('phrase'),
      text: text('text'),
    },
    asked === '' ? undefined : readTransition(request, asked),
  )
}

/** One transaction each: what is wrong with one does not stop the others. */
async function applyAll(
  db: Db,
  form: URLSearchParams,
  listings: ListingRow[],
  edit: BulkEdit,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const listing of listings) {
    const outcome = planBulkEdit(listing, edit)
    try {
      await applyBulkEdit(db, listing, edit, form.get(`version-${listing.id}`) ?? '')
      outcomes.push(outcome)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      outcomes.push({ ...outcome, issues: error.details.issues ?? [issue('', 'listing_unavailable')] })
    }
  }
  return outcomes
}
