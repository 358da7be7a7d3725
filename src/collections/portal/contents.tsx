import type { FastifyInstance, FastifyRequest } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { allWords } from '../../ui/messages.ts'
import { Empty, Panel } from '../../ui/panels.tsx'
import { MAX_LISTINGS } from '../rules.ts'
import { addListing, moveListing, removeListing } from '../service.ts'
import { HOME } from './fields.tsx'
import { ListingLine } from './listing-line.tsx'
import { type Choosing, hrefOf } from './wish.ts'

/** Adds, removes and moves listings of a collection. */
export function registerContents(app: FastifyInstance, { db }: PortalDeps): void {
  formRoute(app, {
    path: '/collections/:id/add',
    run: request =>
      addListing(db, signedIn(request).id, request.params.id, request.form.get('listing') ?? ''),
    redraw: (request, reply, { errors }) => {
      const text = allWords(errors, request.visit.lang)
      return goTo(reply, backTo(request), { kind: 'warning', text })
    },
    done: (request, reply) => goTo(reply, backTo(request), request.visit.t('Agregada.', 'Added.')),
  })

  formRoute(app, {
    path: '/collections/:id/drop',
    run: request =>
      removeListing(db, signedIn(request).id, request.params.id, request.form.get('listing') ?? ''),
    done: (request, reply) =>
      goTo(
        reply,
        backTo(request),
        request.visit.t('Quitada de la colección.', 'Removed from the collection.'),
      ),
  })

  formRoute(app, {
    path: '/collections/:id/move',
    run: request =>
      moveListing(db, signedIn(request).id, request.params.id, {
        listingId: request.form.get('listing') ?? '',
        step: request.form.get('to') === 'up' ? -1 : 1,
      }),
    done: (request, reply) => goTo(reply, backTo(request)),
  })
}

/** Back to the same search, if any. */
const backTo = ({ form, params }: FastifyRequest<{ Params: { id: string } }>): string =>
  ownPath(form.get('back'), `${HOME}/${params.id}`)

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
      note={t(`${items.length} de ${MAX_LISTINGS}`, `${items.length} of ${MAX_LISTINGS}`)}
    >
      {items.length === 0 ? (
        <Empty icon="building" title={t('Aún no hay propiedades', 'No listings yet')}>
          {t(
            'Búscalas aquí abajo y agrega las que quieras mostrar.',
            'Search below and add the listings you want to show.',
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
                  {act('drop', id, {}, t('Quitar', 'Remove'), '✕')}
                </div>
              </ListingLine>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
