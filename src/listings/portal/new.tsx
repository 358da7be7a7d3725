import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { ListingFields } from '../fields.ts'
import { applyPatch } from '../rules.ts'
import { createListing } from '../service.ts'
import { emptyListing, FORM_ASSETS, ListingForm, type ListingFormDeps } from './form.tsx'
import { findOwn } from './inventory.ts'
import { pointOfForm, withPoint } from './locate.ts'
import { formValues, readListingForm } from './values.ts'

export function registerNew(app: FastifyInstance, { db, baseMap }: ListingFormDeps): void {
  /** `from`: a listing of the agent to start from. Photos and its code are not copied: they belong to that one. */
  app.get('/listings/new', async (request, reply) => {
    const from = (request.query as URLSearchParams).get('from')
    if (!from) return send(request, reply)
    const listing = await findOwn(db, signedIn(request).id, from)
    if (!listing) throw new Problem('not_found')
    return send(request, reply, undefined, { ...listing, external_id: null })
  })

  formRoute(app, {
    path: '/listings/new',
    bodyLimit: LONG_FORM_BYTES,
    run: request => createListing(db, signedIn(request).id, readListingForm(request.form), 'portal'),
    redraw: (request, reply, rejected) => send(request, reply, rejected),
    done: ({ visit: { t } }, reply, { id }) =>
      goTo(
        reply,
        `/portal/listings/${id}/photos`,
        t('Borrador guardado. Ahora agrega las fotos.', 'Draft saved. Add photos next.'),
      ),
  })

  /** Without scripts. */
  formRoute(app, {
    path: '/listings/new/locate',
    bodyLimit: LONG_FORM_BYTES,
    run: request => pointOfForm(db, signedIn(request).id, request.form),
    redraw: (request, reply, rejected) => send(request, reply, rejected),
    done: (request, reply, point) => send(request, reply, withPoint(request, point, '/portal/listings/new')),
  })

  function send(request: FastifyRequest, reply: FastifyReply, rejected?: Rejected, from?: ListingFields) {
    const { t } = request.visit
    const fields = rejected
      ? applyPatch(undefined, readListingForm(rejected.values).value, 'draft').fields
      : (from ?? emptyListing())
    return sendScreen(
      request,
      reply,
      {
        title: t('Nueva propiedad', 'New listing'),
        section: 'listings',
        subtitle: t('Se guarda como borrador.', 'It is saved as a draft.'),
        assets: FORM_ASSETS,
        baseMap,
      },
      <ListingForm
        action="/portal/listings/new"
        previewAction="/portal/listings/new/preview"
        locateAction="/portal/listings/new/locate"
        values={rejected?.values ?? { ...formValues(fields), property_type: from?.property_type ?? 'house' }}
        errors={rejected?.errors}
        preview={fields}
        cover={null}
        cancel="/portal/listings"
        baseMap={baseMap}
      />,
    )
  }
}
