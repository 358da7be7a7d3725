import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listCollections } from '../../collections/service.ts'
import { readBody } from '../../lib/fields.ts'
import type { SealedBox } from '../../lib/sealed-box.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { feedFields, formatWords } from '../rules.ts'
import { addressOf, changeFeed, type Feed, findOwn, hasAgency, renewFeed, revokeFeed } from '../service.ts'
import { FeedFields } from './fields.tsx'
import { HOME, Selection, type Titles } from './parts.tsx'

interface ById {
  Params: { id: string }
}

export interface FeedDeps extends PortalDeps {
  openFeedBox(): Promise<SealedBox>
}

export function registerFeed(app: FastifyInstance, { db, publicUrl, openFeedBox }: FeedDeps): void {
  app.get<ById>('/feeds/:id', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/feeds/:id/edit',
    access: 'verified',
    run: request => {
      const sent = readBody(feedFields, Object.fromEntries(request.form))
      return changeFeed(db, signedIn(request).id, request.params.id, sent)
    },
    redraw: send,
    done: ({ params, visit: { t } }, reply) => goTo(reply, `${HOME}/${params.id}`, t('Guardado.', 'Saved.')),
  })

  formRoute(app, {
    path: '/feeds/:id/renew',
    run: async request => renewFeed(db, await openFeedBox(), signedIn(request).id, request.params.id),
    done: ({ params, visit: { t } }, reply) =>
      goTo(
        reply,
        `${HOME}/${params.id}`,
        t('Dirección nueva. La anterior ya no funciona.', 'New address. The old one no longer works.'),
      ),
  })

  formRoute(app, {
    path: '/feeds/:id/revoke',
    run: request => revokeFeed(db, signedIn(request).id, request.params.id),
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        HOME,
        t('Feed revocado. Su dirección ya no funciona.', 'Feed revoked. Its address no longer works.'),
      ),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const agent = signedIn(request)
    const feed = await findOwn(db, agent.id, request.params.id)
    const [collections, isInAgency] = await Promise.all([
      listCollections(db, agent.id),
      hasAgency(db, agent.id),
    ])
    const titles = new Map(collections.map(collection => [collection.id, collection.title]))
    const address = addressOf(await openFeedBox(), publicUrl, feed)
    return sendScreen(
      request,
      reply,
      {
        title: feed.name,
        section: 'feeds',
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            <Icon name="rss" class="size-4" />
            {t('Todos los feeds', 'All feeds')}
          </a>
        ),
      },
      <OneFeed {...{ feed, titles, address, isInAgency }} {...shown} />,
    )
  }
}

interface OneProps extends Shown {
  feed: Feed
  titles: Titles
  address: string | undefined
  isInAgency: boolean
}

function OneFeed({ feed, titles, address, isInAgency, values, errors }: OneProps) {
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Address feed={feed} address={address} />
        <Details feed={feed} titles={titles} />
      </div>
      {agent?.isVerified && (
        <Panel title={t('Cambiar', 'Change')} class="self-start">
          <Form
            action={`${HOME}/${feed.id}/edit`}
            values={values ?? { ...feed, listings: feed.collection_id ?? feed.source }}
            errors={errors}
          >
            <FeedFields titles={titles} isInAgency={isInAgency} />
            <p class="text-sm text-base-content/75">
              {t(
                'Con otro formato puede cambiar la terminación de la dirección: entrega entonces la nueva.',
                'Another format may change how the address ends: then give out the new one.',
              )}
            </p>
            <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}

function Address({ feed, address }: { feed: Feed; address: string | undefined }) {
  const { t } = useVisit()
  const path = `${HOME}/${feed.id}`
  return (
    <Panel
      title={t('Dirección privada', 'Private address')}
      note={t(
        'Quien la tenga puede leer este feed. Entrégala solo al sistema que la va a usar.',
        'Anyone who has it can read this feed. Give it only to the system that will use it.',
      )}
    >
      {address ? (
        <Copyable text={address} label={t('Dirección del feed', 'Feed address')} />
      ) : (
        <p>
          {t(
            'La dirección sigue funcionando, pero ya no se puede mostrar. Renuévala para ver una nueva.',
            'The address still works but can no longer be shown. Renew it to see a new one.',
          )}
        </p>
      )}
      {/* At the right edge: the questions open to the left. */}
      <div class="mt-4 flex flex-col items-end gap-2 sm:flex-row sm:justify-end">
        {address && (
          <a class="btn btn-sm" href={address} target="_blank" rel="noopener noreferrer">
            <Icon name="external" class="size-4" />
            {t('Abrir', 'Open')}
          </a>
        )}
        <DangerButton
          action={`${path}/renew`}
          label={t('Renovar dirección', 'Renew address')}
          question={t(
            'La dirección actual deja de funcionar de inmediato: entrega la nueva a quien deba seguir leyendo.',
            'The current address stops working immediately: give the new one to those who should keep reading.',
          )}
          yes={t('Sí, renovarla', 'Yes, renew it')}
        />
        <DangerButton
          action={`${path}/revoke`}
          label={t('Revocar', 'Revoke')}
          question={t(
            'La dirección deja de funcionar de inmediato y el feed se elimina.',
            'The address stops working immediately and the feed is removed.',
          )}
          yes={t('Sí, revocarlo', 'Yes, revoke it')}
        />
      </div>
    </Panel>
  )
}

function Details({ feed, titles }: { feed: Feed; titles: Titles }) {
  const { t } = useVisit()
  const format = formatWords(t)[feed.format]
  return (
    <Panel title={t('Detalles', 'Details')}>
      <Facts
        facts={[
          [t('Propiedades', 'Listings'), <Selection feed={feed} titles={titles} />],
          [t('Formato', 'Format'), `${format.name}. ${format.hint}.`],
          [t('Creado', 'Created'), <Time at={feed.created_at} />],
          [
            t('Última lectura', 'Last read'),
            feed.read_at ? <Time at={feed.read_at} /> : t('Aún sin lecturas', 'Not read yet'),
          ],
          [t('Programa', 'Program'), feed.read_client],
          [t('Red', 'Network'), feed.read_network],
        ]}
      />
    </Panel>
  )
}
