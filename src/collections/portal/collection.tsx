import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Market, type MarketDeps } from '../../site/market.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { collectionFields, sharedPath } from '../rules.ts'
import type { Collection } from '../service.ts'
import * as service from '../service.ts'
import { Contents } from './contents.tsx'
import { CollectionFields, HOME } from './fields.tsx'
import { Picker } from './picker.tsx'
import { type Choosing, wishOf } from './wish.ts'

interface ById {
  Params: { id: string }
}

const PER_PAGE = 8

export type CollectionDeps = PortalDeps & Pick<MarketDeps, 'search'>

export function registerCollection(app: FastifyInstance, deps: CollectionDeps): void {
  const { db, publicUrl } = deps
  const market = new Market({ db, search: deps.search, now: () => deps.now().getTime() })

  app.get<ById>('/collections/:id', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/collections/:id/edit',
    run: request => {
      const sent = readBody(collectionFields, Object.fromEntries(request.form))
      return service.changeCollection(db, signedIn(request).id, request.params.id, sent)
    },
    redraw: send,
    done: ({ params, visit }, reply) => goTo(reply, `${HOME}/${params.id}`, visit.t('Guardado.', 'Saved.')),
  })

  formRoute(app, {
    path: '/collections/:id/pause',
    run: request => service.shareCollection(db, signedIn(request).id, request.params.id, false),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Ya no se comparte.', 'No longer shared.')),
  })

  formRoute(app, {
    path: '/collections/:id/resume',
    run: request => service.shareCollection(db, signedIn(request).id, request.params.id, true),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Se comparte de nuevo.', 'Shared again.')),
  })

  formRoute(app, {
    path: '/collections/:id/remove',
    run: request => service.removeCollection(db, signedIn(request).id, request.params.id),
    done: ({ visit }, reply) => goTo(reply, HOME, visit.t('Colección eliminada.', 'Collection removed.')),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const agent = signedIn(request)
    const { t } = request.visit
    const collection = await service.findOwn(db, agent.id, request.params.id)
    const wish = wishOf(request.query as URLSearchParams)
    const [items, found] = await Promise.all([
      service.listItems(db, publicUrl, collection.id),
      // Only public listings, of all agents or only this one, can be added.
      market.find({
        ...(wish.q ? { q: wish.q, sort: 'relevance' } : {}),
        ...(wish.mine ? { agents: [agent.id] } : {}),
        page: wish.page,
        limit: PER_PAGE,
      }),
    ])
    return sendScreen(
      request,
      reply,
      {
        title: collection.title,
        section: 'collections',
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            <Icon name="share" class="size-4" />
            {t('Todas las colecciones', 'All collections')}
          </a>
        ),
      },
      <OneCollection {...{ collection, items, found, wish, publicUrl }} {...shown} />,
    )
  }
}

interface OneProps extends Choosing, Shown {
  collection: Collection
  publicUrl: string
}

function OneCollection(props: OneProps) {
  const { t } = useVisit()
  const { collection, values, errors } = props
  const path = `${HOME}/${collection.id}`
  return (
    // On a phone the link comes first: returning agents come to share it.
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <div class="flex min-w-0 flex-col gap-6 lg:row-span-2">
        <Contents {...props} path={path} />
        <Picker {...props} path={path} />
      </div>
      <div class="order-first min-w-0 lg:order-none">
        <Share {...props} path={path} />
      </div>
      <Panel title={t('Lo que lee tu cliente', 'What your client reads')} class="self-start">
        <Form action={`${path}/edit`} values={values ?? { ...collection }} errors={errors}>
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
        <Copyable text={url} label={t('Enlace de la colección', 'Collection link')} stacked />
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
            {t('Ver la página', 'View page')}
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
              'El enlace dejará de funcionar. Conservarás los prospectos que llegaron por ella.',
              'The link stops working permanently. Leads it brought in are kept.',
            )}
            yes={t('Sí, eliminarla', 'Yes, remove it')}
          />
        </div>
      </div>
    </Panel>
  )
}
