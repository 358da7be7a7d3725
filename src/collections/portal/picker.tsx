import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { ListingLine } from './listing-line.tsx'
import { type Choosing, hrefOf, type Wish } from './wish.ts'

export function Picker({ items, found, wish, path }: Choosing & { path: string }) {
  const { t } = useVisit()
  const inside = new Set(items.map(item => item.id))
  const back = hrefOf(path, wish)
  return (
    <Panel
      title={t('Agregar propiedades', 'Add listings')}
      note={t(
        'Solo las que están publicadas y cuyo agente permite que otros las muestren.',
        'Only published listings whose agent lets others show them.',
      )}
    >
      <WishForm wish={wish} path={path} />
      {found.listings.length === 0 ? (
        <Empty icon="search" title={t('Sin resultados', 'No results')}>
          {wish.mine
            ? t(
                'Busca en toda la bolsa o publica una propiedad.',
                'Search the whole exchange, or publish a listing.',
              )
            : t('Prueba con otras palabras.', 'Try different words.')}
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
      <Pager
        page={wish.page}
        pages={found.pagination.pages}
        hrefOf={page => hrefOf(path, { ...wish, page })}
      />
    </Panel>
  )
}

function WishForm({ wish, path }: { wish: Wish; path: string }) {
  const { t } = useVisit()
  return (
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
  )
}
