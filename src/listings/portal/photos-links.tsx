import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { LIMITS } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, TextArea } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { imagesFields } from '../schema.ts'
import { addImages } from '../service.ts'
import type { OwnListing } from './inventory.ts'
import { ownListing } from './shared.tsx'
import { LINK_WORDING } from './wording.ts'

type SendPhotos = (
  request: FastifyRequest,
  reply: FastifyReply,
  listing: OwnListing,
  links: Rejected,
) => Promise<FastifyReply>

export function registerLinks(app: FastifyInstance, { db }: PortalDeps, sendPhotos: SendPhotos): void {
  formRoute(app, {
    path: '/listings/:id/photos/links',
    bodyLimit: LONG_FORM_BYTES,
    read: request => ownListing(db, request),
    run: (request, listing) => {
      const urls = (request.form.get('urls') ?? '').split(/\s+/).filter(Boolean)
      const sent = readBody(imagesFields, { urls })
      return addImages(db, signedIn(request).id, listing.id, { sent, via: 'portal' })
    },
    redraw: (request, reply, { values, errors }, listing) => {
      // The form field and the listing field have different names.
      const asAddresses = errors.map(one => ({ ...one, field: 'urls' }))
      return sendPhotos(request, reply, listing, { values, errors: asAddresses })
    },
    done: ({ visit }, reply, _, { id }) =>
      goTo(reply, `/portal/listings/${id}/photos`, visit.t('Fotos enlazadas.', 'Photos linked.')),
  })
}

export function LinksPanel({ base, rejected }: { base: string; rejected: Rejected | undefined }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Enlazar fotos', 'Link photos')}>
      <Form action={`${base}/links`} class="flex min-w-0 flex-col gap-4" {...rejected} wording={LINK_WORDING}>
        <TextArea
          name="urls"
          label={t('Direcciones públicas, una por renglón', 'Public URLs, one per line')}
          rows={3}
          hint={t(
            `Se muestran desde su dirección original. Hasta ${LIMITS.images_per_call} a la vez.`,
            `Shown from their original address. Up to ${LIMITS.images_per_call} at a time.`,
          )}
          required
        />
        <div>
          <Submit tone="plain">{t('Enlazar', 'Link')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}
