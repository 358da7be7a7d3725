import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { heicAdvice } from '../../files/images.ts'
import { readBody } from '../../lib/fields.ts'
import type { Issue } from '../../lib/issue.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { allWords, attempt } from '../../ui/messages.ts'
import { listImages } from '../images.ts'
import { addPhotos, arrangePhotos, PHOTO_BYTES, PHOTOS_PER_FORM } from '../photos.ts'
import { imagesFields } from '../schema.ts'
import * as service from '../service.ts'
import type { OwnListing } from './inventory.ts'
import { ListingPhotos } from './photos.tsx'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'
import { LINK_WORDING } from './wording.ts'

export function registerPhotoScreens(app: FastifyInstance, { db, files }: PortalDeps): void {
  const listingOf = (request: FastifyRequest<ById>) => ownListing(db, request)

  async function sendPhotos(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: OwnListing,
    wrong: { links?: URLSearchParams; errors?: readonly Issue[] } = {},
  ) {
    const images = await listImages(db, listing.id)
    return sendScreen(
      request,
      reply,
      {
        ...screenOf(listing),
        assets: ['listing-photos.js'],
        ...(wrong.errors ? { status: 422 } : {}),
      },
      withTabs(listing, 'photos', <ListingPhotos id={listing.id} images={images} {...wrong} />),
    )
  }

  app.get<ById>('/listings/:id/photos', async (request, reply) =>
    sendPhotos(request, reply, await listingOf(request)),
  )

  app.post<ById>(
    '/listings/:id/photos',
    { config: { upload: { files: PHOTOS_PER_FORM, fileBytes: PHOTO_BYTES } } },
    async (request, reply) => {
      const { t, lang } = request.visit
      const listing = await listingOf(request)
      const result = await attempt(() =>
        addPhotos({ db, files }, signedIn(request).id, listing.id, request.uploads),
      )
      const { added, refused, heic } = result.value ?? { added: 0, refused: [], heic: false }
      // The script sends them one by one and asks for the bare result.
      if (request.headers.accept === 'application/json') {
        return reply.code(result.errors || refused.length > 0 ? 422 : 200).send({ added, refused, heic })
      }
      const path = `/portal/listings/${listing.id}/photos`
      if (result.errors) {
        return goTo(reply, path, { kind: 'error', text: allWords(result.errors, lang, LINK_WORDING) })
      }
      if (refused.length > 0) {
        const names = refused.map(name => `«${name.slice(0, 60)}»`).join(', ')
        const text = t(
          `No pudimos leer ${names}. Guárdalas como JPEG e inténtalo otra vez.`,
          `We could not read ${names}. Save them as JPEG and try again.`,
        )
        return goTo(reply, path, {
          kind: 'warning',
          text: heic ? `${text} ${heicAdvice(t)}` : text,
        })
      }
      return goTo(reply, path, t(`Fotos nuevas: ${added}.`, `New photos: ${added}.`))
    },
  )

  app.post<ById>('/listings/:id/photos/links', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const { t } = request.visit
    const listing = await listingOf(request)
    const urls = (request.form.get('urls') ?? '').split(/\s+/).filter(Boolean)
    const sent = readBody(imagesFields, { urls })
    const added = await attempt(() =>
      service.addImages(db, signedIn(request).id, listing.id, { sent, via: 'portal' }),
    )
    if (added.errors) {
      // The form knows the addresses by another name than the listing its images.
      const errors = added.errors.map(one => ({ ...one, field: 'urls' }))
      return sendPhotos(request, reply, listing, { links: request.form, errors })
    }
    return goTo(reply, `/portal/listings/${listing.id}/photos`, t('Fotos enlazadas.', 'Photos linked.'))
  })

  app.post<ById>('/listings/:id/photos/arrange', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const { form, visit } = request
    const listing = await listingOf(request)
    await arrangePhotos({ db, files }, signedIn(request).id, listing.id, {
      order: orderOf(form),
      remove: form.getAll('remove'),
      alts: new Map(
        [...form].filter(([name]) => name.startsWith('alt-')).map(([name, text]) => [name.slice(4), text]),
      ),
    })
    const text = visit.t('Fotos guardadas.', 'Photos saved.')
    return goTo(reply, `/portal/listings/${listing.id}/photos#arrange`, text)
  })
}

/** As the page showed them, with the one step that a button asked for. */
function orderOf(form: URLSearchParams): string[] {
  const order = form.getAll('photo')
  const cover = form.get('cover')
  if (cover) return [cover, ...order.filter(id => id !== cover)]
  const [id = '', direction] = (form.get('move') ?? '').split(' ')
  const from = order.indexOf(id)
  const to = from + (direction === 'up' ? -1 : 1)
  if (from === -1 || to < 0 || to >= order.length) return order
  const moved = order.filter(one => one !== id)
  moved.splice(to, 0, id)
  return moved
}
