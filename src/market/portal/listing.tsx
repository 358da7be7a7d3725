import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addListing, type CollectionInList, listCollections } from '../../collections/service.ts'
import { safeHref } from '../../http/html.tsx'
import { Problem } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { amenityName, pictureSrc, placeName, priceText, titleOf, typeName } from '../../site/words.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { allWords } from '../../ui/messages.ts'
import { type Fact, Facts, Panel } from '../../ui/panels.tsx'
import type { MarketListing } from '../record.ts'
import { findListing, type MarketDeps } from '../service.ts'
import { figuresOf } from './results.tsx'
import { Commission, daysText, HOME, Marks, PriceChanges, pathOf, Ways } from './words.tsx'

export interface ById {
  Params: { id: string }
}

/** Not found for what is not on the market. */
export async function marketListingOf(
  deps: MarketDeps,
  request: FastifyRequest<ById>,
): Promise<MarketListing> {
  const listing = await findListing(deps, request.params.id, signedIn(request).id)
  if (!listing) throw new Problem('not_found')
  return listing
}

export function registerMarketListing(app: FastifyInstance, deps: MarketDeps): void {
  const { db } = deps

  app.get<ById>('/market/:id', VERIFIED, async (request, reply) =>
    send(request, reply, await marketListingOf(deps, request)),
  )

  formRoute(app, {
    path: '/market/:id/collect',
    access: 'verified',
    read: request => marketListingOf(deps, request),
    run: (request, listing) =>
      addListing(db, signedIn(request).id, request.form.get('collection') ?? '', listing.record.id),
    redraw: (request, reply, { errors }, listing) =>
      goTo(reply, pathOf(listing), { kind: 'warning', text: allWords(errors, request.visit.lang) }),
    done: ({ visit: { t } }, reply, _, listing) =>
      goTo(reply, pathOf(listing), t('Agregada a la colección.', 'Added to the collection.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, listing: MarketListing) {
    const { t, lang } = request.visit
    const collections = await listCollections(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: titleOf(listing.record, lang),
        section: 'market',
        subtitle: placeName(listing.record.location),
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            {t('Volver al mercado', 'Back to the market')}
          </a>
        ),
      },
      <ListingScreen listing={listing} collections={collections} />,
    )
  }
}

interface ScreenProps {
  listing: MarketListing
  collections: CollectionInList[]
}

function ListingScreen({ listing, collections }: ScreenProps) {
  const { lang, t } = useVisit()
  const { record } = listing
  const description = (lang === 'en' ? record.description_en : null) ?? record.description
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Gallery listing={listing} />
        <Panel title={t('Descripción', 'Description')}>
          <p class="break-words whitespace-pre-line">{description ?? '—'}</p>
          {record.features.length > 0 && (
            <p class="mt-4 text-sm text-base-content/75">
              {record.features.map(label => amenityName(label, lang)).join(' · ')}
            </p>
          )}
          <p class="mt-4 flex flex-wrap gap-3 text-sm empty:hidden">
            {record.video_url && (
              <a class="link" href={safeHref(record.video_url)} rel="noopener noreferrer" target="_blank">
                {t('Video', 'Video')}
              </a>
            )}
            {record.virtual_tour_url && (
              <a
                class="link"
                href={safeHref(record.virtual_tour_url)}
                rel="noopener noreferrer"
                target="_blank"
              >
                {t('Recorrido virtual', 'Virtual tour')}
              </a>
            )}
          </p>
        </Panel>
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <Terms listing={listing} />
        {!listing.isOwn && <AgentPanel listing={listing} />}
        <CollectionPanel listing={listing} collections={collections} />
      </div>
    </div>
  )
}

function Gallery({ listing }: { listing: MarketListing }) {
  const { record } = listing
  const origin = new URL(record.url).origin
  return (
    <div class="grid grid-cols-2 gap-2 empty:hidden sm:grid-cols-3">
      {record.images.slice(0, 12).map(({ thumb }) => (
        <img
          key={thumb}
          src={pictureSrc(thumb, origin)}
          alt=""
          loading="lazy"
          referrerpolicy="no-referrer"
          class="aspect-4/3 w-full rounded-field bg-base-200 object-cover"
        />
      ))}
    </div>
  )
}

function Terms({ listing }: { listing: MarketListing }) {
  const { t, lang } = useVisit()
  const { record, days } = listing
  const facts: Fact[] = [
    [t('Precio', 'Price'), <strong>{record.operations.map(one => priceText(one, lang)).join(' · ')}</strong>],
    [t('Comisión compartida', 'Shared commission'), <Commission listing={listing} />],
    [t('Tipo', 'Type'), typeName(record.property_type, lang)],
    [t('En el mercado', 'On the market'), days === null ? undefined : daysText(days, t)],
    [t('Cambios de precio', 'Price changes'), <PriceChanges listing={listing} />],
  ]
  return (
    <Panel>
      <div class="flex flex-col gap-4">
        <Marks listing={listing} />
        <Facts facts={facts} stacked />
        <ul class="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {figuresOf(listing, lang).map(([icon, text]) => (
            <li key={icon} class="flex items-center gap-1">
              <Icon name={icon} class="size-4" /> {text}
            </li>
          ))}
        </ul>
        {listing.isPublished && !listing.isOptedOut && (
          <a class="btn btn-sm self-start" href={`${pathOf(listing)}/sheet`}>
            <Icon name="document" class="size-4" /> {t('Ficha para imprimir', 'Printable sheet')}
          </a>
        )}
      </div>
    </Panel>
  )
}

function AgentPanel({ listing }: { listing: MarketListing }) {
  const { t } = useVisit()
  const { contact, record } = listing
  return (
    <Panel title={contact.name} {...(record.agency ? { note: record.agency.name } : {})}>
      <div class="flex flex-col gap-3">
        <p class="text-sm break-words">
          {contact.phone}
          <br />
          {contact.email}
        </p>
        <Ways listing={listing} />
        {listing.isPublished && (
          <a class="btn btn-primary self-start" href={`${pathOf(listing)}/propose`}>
            <Icon name="handshake" />
            {t('Proponer cooperación', 'Propose a cooperation')}
          </a>
        )}
      </div>
    </Panel>
  )
}

function CollectionPanel({ listing, collections }: ScreenProps) {
  const { t } = useVisit()
  const title = t('En una colección', 'In a collection')
  if (listing.isOptedOut || !listing.isPublished) {
    return (
      <Panel title={title}>
        <p class="text-sm text-base-content/75">
          {t(
            'No se puede agregar a colecciones ni a fichas: su agente no permite que otros la anuncien, o no está publicada.',
            'It cannot be added to collections or sheets: its agent does not let others advertise it, or it is not published.',
          )}
        </p>
      </Panel>
    )
  }
  return (
    <section id="collect">
      <Panel title={title}>
        {collections.length === 0 ? (
          <a class="link text-sm" href="/portal/collections">
            {t('Crea tu primera colección', 'Create your first collection')}
          </a>
        ) : (
          <Form action={`${HOME}/${listing.record.slug}/collect`} class="flex flex-col gap-3">
            <SelectField
              name="collection"
              label={t('Colección', 'Collection')}
              options={collections.map(({ id, title: label }) => ({ value: id, label }))}
              required
            />
            <Submit class="self-start">{t('Agregar', 'Add')}</Submit>
          </Form>
        )}
      </Panel>
    </section>
  )
}
