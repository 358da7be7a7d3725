import type { ComponentChildren } from 'preact'
import { useVisit } from '../portal/context.ts'
import {
  ActionButton,
  DangerButton,
  Form,
  SelectField,
  Submit,
  TextArea,
  TextField,
} from '../portal/forms.tsx'
import { Icon } from '../portal/icons.tsx'
import { Badge, Copyable, Empty, Panel } from '../portal/pieces.tsx'
import type { Market } from '../site/market.ts'
import { type Listing, pictureSrc, placeName, priceText } from '../site/words.ts'
import { MAX_LISTINGS, sharedPath } from './rules.ts'
import type { Collection, CollectionInList, Item } from './service.ts'

const HOME = '/portal/collections'

/** What was typed and is wrong. */
export interface FormState {
  values: URLSearchParams
  errors: string[]
}

function CollectionFields() {
  const { t } = useVisit()
  return (
    <>
      <TextField
        name="title"
        label={t('Título', 'Title')}
        hint={t(
          'Lo ve tu cliente: «Casas para la familia López».',
          'Your client sees it: “Homes for the Lópezes”.',
        )}
        maxlength={120}
        required
      />
      <TextArea
        name="message"
        label={t('Mensaje para tu cliente', 'Message to your client')}
        rows={3}
        maxlength={1_000}
      />
      <SelectField
        name="lang"
        label={t('Idioma de la página', 'Language of the page')}
        options={[
          { value: 'es', label: 'Español' },
          { value: 'en', label: 'English' },
        ]}
        required
      />
    </>
  )
}

export function Collections(props: {
  collections: CollectionInList[]
  publicUrl: string
  form: FormState | undefined
}) {
  const { t, agent } = useVisit()
  const { collections, publicUrl, form } = props
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      {collections.length === 0 ? (
        <Panel>
          <Empty icon="share" title={t('Aún no tienes colecciones', 'No collections yet')}>
            {agent?.isVerified
              ? t(
                  'Dale un título a la primera y elige después las propiedades.',
                  'Give the first one a title, then pick its listings.',
                )
              : t(
                  'Podrás compartir colecciones cuando verifiquemos tu licencia.',
                  'You can share collections once your licence is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {collections.map(one => (
            <li key={one.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
              <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 class="min-w-0 text-lg font-semibold break-words">
                  <a class="link link-hover" href={`${HOME}/${one.id}`}>
                    {one.title}
                  </a>
                </h2>
                {!one.active && <Badge tone="warning">{t('Sin compartir', 'Not shared')}</Badge>}
              </div>
              <p class="mt-1 mb-4 text-sm text-base-content/75">
                {one.shown === 1
                  ? t('1 propiedad', '1 listing')
                  : t(`${one.shown} propiedades`, `${one.shown} listings`)}
                {' · '}
                {one.leads === 1
                  ? t('1 prospecto', '1 lead')
                  : t(`${one.leads} prospectos`, `${one.leads} leads`)}
              </p>
              <Copyable
                text={publicUrl + sharedPath(one)}
                label={t(`Enlace de ${one.title}`, `Link to ${one.title}`)}
              />
            </li>
          ))}
        </ul>
      )}
      {agent?.isVerified && (
        <Panel title={t('Nueva colección', 'New collection')} class="self-start">
          <Form action={HOME} {...(form ?? {})}>
            <CollectionFields />
            <Submit class="self-start">{t('Crear colección', 'Create collection')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}

/** What an agent looks for to put in. */
export interface Wish {
  q: string | undefined
  /** Only the agent's own. */
  mine: boolean
  page: number
}

interface OneProps {
  collection: Collection
  items: Item[]
  found: Awaited<ReturnType<Market['find']>>
  wish: Wish
  publicUrl: string
  form: FormState | undefined
}

export function OneCollection(props: OneProps) {
  const { t } = useVisit()
  const { collection, form } = props
  const path = `${HOME}/${collection.id}`
  return (
    // On a phone the link comes first: whoever comes back here comes to share it.
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <div class="flex min-w-0 flex-col gap-6 lg:row-span-2">
        <Contents {...props} path={path} />
        <Picker {...props} path={path} />
      </div>
      <div class="order-first min-w-0 lg:order-none">
        <Share {...props} path={path} />
      </div>
      <Panel title={t('Lo que lee tu cliente', 'What your client reads')} class="self-start">
        <Form action={`${path}/edit`} values={form?.values ?? { ...collection }} errors={form?.errors}>
          <CollectionFields />
          <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}

function Share({ collection, publicUrl, path }: OneProps & { path: string }) {
  const { t } = useVisit()
  const url = publicUrl + sharedPath(collection)
  const words = encodeURIComponent(`${collection.title}: ${url}`)
  return (
    <Panel
      title={t('Compartir', 'Share')}
      actions={!collection.active && <Badge tone="warning">{t('Sin compartir', 'Not shared')}</Badge>}
    >
      <div class="flex flex-col gap-4">
        <Copyable text={url} label={t('Enlace de la colección', 'Link to the collection')} stacked />
        <div class="flex flex-wrap gap-2">
          <a
            class="btn btn-sm"
            href={`https://wa.me/?text=${words}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="chat" class="size-4" />
            WhatsApp
          </a>
          <a class="btn btn-sm" href={sharedPath(collection)} target="_blank" rel="noopener">
            <Icon name="external" class="size-4" />
            {t('Ver la página', 'See the page')}
          </a>
        </div>
        <div class="flex flex-wrap gap-2 border-t border-base-300 pt-4">
          <ActionButton action={`${path}/${collection.active ? 'pause' : 'resume'}`}>
            {collection.active
              ? t('Dejar de compartir', 'Stop sharing')
              : t('Compartir de nuevo', 'Share again')}
          </ActionButton>
          <DangerButton
            action={`${path}/remove`}
            label={t('Eliminar', 'Remove')}
            question={t(
              'El enlace deja de funcionar para siempre. Los prospectos que llegaron por ella se quedan.',
              'The link stops working for good. The leads that came by it stay.',
            )}
            yes={t('Sí, eliminarla', 'Yes, remove it')}
          />
        </div>
      </div>
    </Panel>
  )
}

/** Where forms come back to: the same search. */
function hrefOf(path: string, { q, mine, page }: Wish): string {
  const query = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(mine ? {} : { of: 'all' }),
    ...(page > 1 ? { page: String(page) } : {}),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

function Contents({ items, wish, path }: OneProps & { path: string }) {
  const { t } = useVisit()
  const back = hrefOf(path, wish)
  const act = (
    action: string,
    listing: string,
    more: Record<string, string>,
    label: string,
    text: string,
  ) => (
    <ActionButton action={`${path}/${action}`} tone="quiet" fields={{ listing, back, ...more }}>
      <span aria-hidden="true" class="text-lg">
        {text}
      </span>
      <span class="sr-only">{label}</span>
    </ActionButton>
  )
  return (
    <Panel
      title={t('En la colección', 'In the collection')}
      note={t(`${items.length} de ${MAX_LISTINGS} posibles`, `${items.length} of ${MAX_LISTINGS} possible`)}
    >
      {items.length === 0 ? (
        <Empty icon="building" title={t('Todavía está vacía', 'Still empty')}>
          {t(
            'Busca aquí abajo y agrega las que quieras mostrar.',
            'Search below and add those you want to show.',
          )}
        </Empty>
      ) : (
        <ol class="flex flex-col divide-y divide-base-300">
          {items.map(({ id, listing }, i) => (
            <li key={id} class="py-3">
              <ListingLine listing={listing}>
                <div class="flex items-center">
                  {i > 0 && act('move', id, { to: 'up' }, t('Subir', 'Move up'), '↑')}
                  {i < items.length - 1 && act('move', id, { to: 'down' }, t('Bajar', 'Move down'), '↓')}
                  {act('drop', id, {}, t('Quitar', 'Take out'), '✕')}
                </div>
              </ListingLine>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function ListingLine({ listing, children }: { listing: Listing | undefined; children: ComponentChildren }) {
  const { t, lang } = useVisit()
  if (!listing) {
    return (
      <div class="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <p class="min-w-0 text-base-content/75">
          <Badge tone="warning">{t('Ya no disponible', 'No longer available')}</Badge>{' '}
          {t('No se muestra a tu cliente.', 'Your client does not see it.')}
        </p>
        {children}
      </div>
    )
  }
  return (
    <div class="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <Thumb listing={listing} />
      <div class="min-w-40 flex-1">
        <a class="link link-hover font-medium break-words" href={`/propiedades/${listing.slug}`}>
          {listing.title}
        </a>
        <p class="text-sm font-medium">{listing.operations.map(one => priceText(one, lang)).join(' · ')}</p>
        <p class="text-sm break-words text-base-content/75">
          {placeName(listing.location)} · {listing.agent.name}
        </p>
      </div>
      <div class="ml-auto">{children}</div>
    </div>
  )
}

function Thumb({ listing }: { listing: Listing }) {
  const picture = listing.images[0]?.thumb
  if (!picture) {
    return (
      <span class="grid h-14 w-20 shrink-0 place-items-center rounded-field bg-base-200 text-base-content/60">
        <Icon name="photo" />
      </span>
    )
  }
  return (
    <img
      // Without the server's own name, as it may be called by another one here.
      src={pictureSrc(picture, originOf(listing.url))}
      alt=""
      width="80"
      height="56"
      loading="lazy"
      referrerpolicy="no-referrer"
      class="h-14 w-20 shrink-0 rounded-field bg-base-200 object-cover"
    />
  )
}

const originOf = (url: string): string => new URL(url).origin

function Picker({ items, found, wish, path }: OneProps & { path: string }) {
  const { t } = useVisit()
  const inside = new Set(items.map(item => item.id))
  const back = hrefOf(path, wish)
  return (
    <Panel
      title={t('Agregar propiedades', 'Add listings')}
      note={t(
        'Solo las que están publicadas y cuyo agente permite que otros las muestren.',
        'Only those that are published and that their agent lets others show.',
      )}
    >
      <form method="get" action={path} class="mb-4 flex flex-wrap items-end gap-3">
        <label class="flex min-w-48 flex-1 flex-col gap-1.5 text-sm font-medium">
          {t('Buscar', 'Search')}
          <input
            type="search"
            name="q"
            value={wish.q ?? ''}
            maxlength={200}
            class="input w-full font-normal"
            placeholder={t('Título, colonia, ciudad…', 'Title, neighborhood, city…')}
          />
        </label>
        <label class="flex flex-col gap-1.5 text-sm font-medium">
          {t('Dónde', 'Where')}
          <select name="of" class="select font-normal">
            <option value="mine" selected={wish.mine}>
              {t('Mis propiedades', 'My listings')}
            </option>
            <option value="all" selected={!wish.mine}>
              {t('Toda la bolsa', 'The whole exchange')}
            </option>
          </select>
        </label>
        <button type="submit" class="btn">
          <Icon name="search" />
          {t('Buscar', 'Search')}
        </button>
      </form>
      {found.listings.length === 0 ? (
        <Empty icon="search" title={t('Nada así por aquí', 'Nothing like that here')}>
          {wish.mine
            ? t(
                'Busca en toda la bolsa, o publica una propiedad tuya.',
                'Search the whole exchange, or publish one of yours.',
              )
            : t('Prueba con otras palabras.', 'Try other words.')}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {found.listings.map(listing => (
            <li key={listing.id} class="py-3">
              <ListingLine listing={listing}>
                {inside.has(listing.id) ? (
                  <Badge tone="success">{t('Agregada', 'Added')}</Badge>
                ) : (
                  <ActionButton action={`${path}/add`} fields={{ listing: listing.id, back }}>
                    <Icon name="plus" class="size-4" />
                    {t('Agregar', 'Add')}
                    <span class="sr-only"> {listing.title}</span>
                  </ActionButton>
                )}
              </ListingLine>
            </li>
          ))}
        </ul>
      )}
      {found.pagination.pages > 1 && (
        <nav class="mt-4 flex justify-between gap-3" aria-label={t('Páginas', 'Pages')}>
          {wish.page > 1 ? (
            <a class="btn btn-sm" rel="prev" href={hrefOf(path, { ...wish, page: wish.page - 1 })}>
              ← {t('Anterior', 'Previous')}
            </a>
          ) : (
            <span />
          )}
          {wish.page < found.pagination.pages && (
            <a class="btn btn-sm" rel="next" href={hrefOf(path, { ...wish, page: wish.page + 1 })}>
              {t('Siguiente', 'Next')} →
            </a>
          )}
        </nav>
      )}
    </Panel>
  )
}
