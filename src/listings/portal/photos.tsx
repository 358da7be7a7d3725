import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import type { Rejected } from '../../portal/form-route.ts'
import { sendScreen } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { type Image, listImages } from '../images.ts'
import type { OwnListing } from './inventory.ts'
import { Arrange, registerArrange } from './photos-arrange.tsx'
import { LinksPanel, registerLinks } from './photos-links.tsx'
import { registerUpload, UploadPanel } from './photos-upload.tsx'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'

export function registerPhotos(app: FastifyInstance, deps: PortalDeps): void {
  const { db } = deps
  app.get<ById>('/listings/:id/photos', async (request, reply) =>
    send(request, reply, await ownListing(db, request)),
  )

  registerUpload(app, deps)
  registerLinks(app, deps, send)
  registerArrange(app, deps)

  async function send(request: FastifyRequest, reply: FastifyReply, listing: OwnListing, links?: Rejected) {
    const images = await listImages(db, listing.id)
    return sendScreen(
      request,
      reply,
      {
        ...screenOf(listing),
        assets: ['listing-photos.js'],
      },
      withTabs(listing, 'photos', <Photos id={listing.id} images={images} links={links} />),
    )
  }
}

interface PhotosProps {
  id: string
  images: Image[]
  links: Rejected | undefined
}

function Photos({ id, images, links }: PhotosProps) {
  const { t } = useVisit()
  const base = `/portal/listings/${id}/photos`
  return (
    <div class="flex min-w-0 flex-col gap-6">
      <div class="grid min-w-0 gap-6 lg:grid-cols-2">
        <UploadPanel base={base} />
        <LinksPanel base={base} rejected={links} />
      </div>
      {images.length === 0 ? (
        <Panel>
          <Empty icon="photo" title={t('Todavía no hay fotos', 'No photos yet')}>
            {t(
              'Los anuncios con al menos cinco fotos reciben muchos más mensajes.',
              'Listings with at least five photos get many more inquiries.',
            )}
          </Empty>
        </Panel>
      ) : (
        <Arrange base={base} images={images} />
      )}
    </div>
  )
}
