import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../db/database.ts'
import { cleanText, lengthOf } from '../../lib/fields.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { liftSuspension, setFlags, suspendListing } from '../service.ts'

export const HOME = '/portal/operator/listings'
export const MAX_REASON = 300

type Work = (tx: Tx, id: string, operatorId: string) => Promise<{ id: string; slug: string }>

const ACTIONS: Record<string, [Action, Work]> = {
  feature: ['listing.feature', (tx, id) => setFlags(tx, id, { featured: true })],
  unfeature: ['listing.unfeature', (tx, id) => setFlags(tx, id, { featured: false })],
  import: ['listing.import', (tx, id) => setFlags(tx, id, { imported: true })],
  unimport: ['listing.unimport', (tx, id) => setFlags(tx, id, { imported: false })],
  lift: ['listing.lift', liftSuspension],
}

export function registerListingActions(app: FastifyInstance, { db }: PortalDeps): void {
  for (const [name, [action, work]] of Object.entries(ACTIONS)) {
    formRoute(app, {
      path: `/operator/listings/:id/${name}`,
      access: 'operator',
      run: request => {
        const operator = signedIn(request)
        return onRecord(
          db,
          operator,
          tx => work(tx, request.params.id, operator.id),
          ({ id, slug }) => ({ action, subject: slug, subjectId: id }),
        )
      },
      done: ({ form, visit }, reply) =>
        goTo(reply, ownPath(form.get('back'), HOME), visit.t('Listo.', 'Done.')),
    })
  }

  formRoute(app, {
    path: '/operator/listings/:id/suspend',
    access: 'operator',
    run: async request => {
      const operator = signedIn(request)
      const reason = cleanText(request.form.get('reason') ?? '')
      if (lengthOf(reason) < 5 || lengthOf(reason) > MAX_REASON) return false
      await onRecord(
        db,
        operator,
        tx => suspendListing(tx, request.params.id, { operatorId: operator.id, reason }),
        ({ id, slug }) => ({ action: 'listing.suspend', subject: slug, subjectId: id, note: reason }),
      )
      return true
    },
    done: ({ form, visit: { t } }, reply, isSuspended) => {
      const back = ownPath(form.get('back'), HOME)
      if (isSuspended) return goTo(reply, back, t('Propiedad suspendida.', 'Listing suspended.'))
      const text = t(
        `Escribe el motivo: de 5 a ${MAX_REASON} caracteres.`,
        `Write the reason: 5 to ${MAX_REASON} characters.`,
      )
      return goTo(reply, back, { kind: 'error', text })
    },
  })
}
