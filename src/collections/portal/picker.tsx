import type { ComponentChildren } from 'preact'
import { useVisit } from '../../portal/context.ts'
import type { Market } from '../../site/market.ts'
import { type Listing, pictureSrc, placeName, priceText } from '../../site/words.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { MAX_LISTINGS } from '../rules.ts'
import type { Item } from '../service.ts'

/** What an agent looks for to put in. */
export interface Wish {
  q: string | undefined
  /** Only the agent's own. */
  mine: boolean
  page: number
}

/** What is in the collection, and what was found to put in. */
export interface Choosing {
  items: Item[]
  found: Awaited<ReturnType<Market['find']>>
  wish: Wish
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

export function Contents({ items, wish, path }: Choosing & { path: string }) {
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

export function Picker({ items, found, wish, path }: Choosing & { path: string }) {
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
