import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { applyPatch } from '../rules.ts'
import { updateListing } from '../service.ts'
import { unchangedSince } from '../version.ts'
import { FORM_ASSETS, ListingForm, type ListingFormDeps } from './form.tsx'
import type { OwnListing } from './inventory.ts'
import { pointOfForm, withPoint } from './locate.ts'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'
import { formValues, readListingForm } from './values.ts'

export function registerEdit(app: FastifyInstance, { db, baseMap }: ListingFormDeps): void {
  app.get<ById>('/listings/:id/edit', async (request, reply) =>
    send(request, reply, undefined, await ownListing(db, request)),
  )

  formRoute(app, {
    path: '/listings/:id/edit',
    bodyLimit: LONG_FORM_BYTES,
    read: request => ownListing(db, request),
    run: (request, listing) => {
      const { form } = request
      const edit = {
        sent: readListingForm(form, listing),
        via: 'portal' as const,
        check: unchangedSince(form.get('version') ?? ''),
      }
      return updateListing(db, signedIn(request).id, listing.id, edit)
    },
    redraw: send,
    done: ({ visit }, reply, _, listing) =>
      goTo(reply, `/portal/listings/${listing.id}`, visit.t('Cambios guardados.', 'Changes saved.')),
  })

  /** Without scripts. */
  formRoute(app, {
    path: '/listings/:id/locate',
    bodyLimit: LONG_FORM_BYTES,
    read: request => ownListing(db, request),
    run: request => pointOfForm(db, signedIn(request).id, request.form),
    redraw: send,
    done: (request, reply, point, listing) =>
      send(request, reply, withPoint(request, point, `/portal/listings/${listing.id}/edit`), listing),
  })

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    rejected: Rejected | undefined,
    listing: OwnListing,
  ) {
    const values = rejected?.values
    const preview = values ? applyPatch(listing, readListingForm(values).value, 'draft').fields : listing
    const content = (
      <ListingForm
        action={`/portal/listings/${listing.id}/edit`}
        previewAction={`/portal/listings/${listing.id}/preview`}
        locateAction={`/portal/listings/${listing.id}/locate`}
        values={values ?? formValues(listing)}
        errors={rejected?.errors}
        preview={preview}
        cover={listing.images[0]?.thumb}
        version={values?.get('version') ?? listing.version}
        cancel={`/portal/listings/${listing.id}`}
        baseMap={baseMap}
      />
    )
    const screen = { ...screenOf(listing), assets: FORM_ASSETS, baseMap }
    return sendScreen(request, reply, screen, withTabs(listing, 'edit', content))
  }
}
