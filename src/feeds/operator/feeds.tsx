import type { FastifyInstance } from 'fastify'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton } from '../../ui/buttons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { formatWords } from '../rules.ts'
import { listAll, revokeAny } from '../service.ts'

const SHOWN = 300

export function registerFeedsOperator(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/feeds', OPERATOR, async (request, reply) =>
    sendDesk(request, reply, { tab: 'feeds' }, <Feeds feeds={await listAll(db, SHOWN)} />),
  )

  formRoute(app, {
    path: '/operator/feeds/:id/revoke',
    access: 'operator',
    run: request => {
      const { id } = request.params
      return onRecord(
        db,
        signedIn(request),
        tx => revokeAny(tx, id),
        ({ name }) => ({ action: 'feed.revoke', subject: name, subjectId: id }),
      )
    },
    done: ({ visit }, reply) =>
      goTo(reply, '/portal/operator/feeds', visit.t('Feed revocado.', 'Feed revoked.')),
  })
}

type Listed = Awaited<ReturnType<typeof listAll>>[number]

function Feeds({ feeds }: { feeds: Listed[] }) {
  const { t } = useVisit()
  return (
    <Panel title="Feeds" note={t('Primero los leídos más recientemente.', 'Most recently read first.')}>
      {feeds.length === 0 ? (
        <Empty icon="rss" title={t('Aún no hay feeds', 'No feeds yet')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {feeds.map(feed => (
            <FeedRow key={feed.id} feed={feed} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function FeedRow({ feed }: { feed: Listed }) {
  const { t } = useVisit()
  const { id, name, format, agent, source, read_at, read_client, read_network } = feed
  const sources = {
    own: t('propiedades propias', 'own listings'),
    agency: t('propiedades de la inmobiliaria', 'the agency’s listings'),
    collection: t('una colección', 'a collection'),
  }
  return (
    <li class="flex flex-wrap items-center justify-between gap-3 py-3">
      <div class="min-w-0">
        <p class="flex flex-wrap items-center gap-2 font-medium break-words">
          {name} <Badge>{formatWords(t)[format].name}</Badge>
        </p>
        <p class="text-sm break-words text-base-content/70">
          {agent} · {sources[source]}
        </p>
        <p class="text-sm break-words text-base-content/70">
          {read_at ? (
            <>
              {t('Leído', 'Read')} <Time at={read_at} />
              {[read_client, read_network].filter(Boolean).map(part => ` · ${part}`)}
            </>
          ) : (
            t('Aún sin lecturas', 'Not read yet')
          )}
        </p>
      </div>
      <DangerButton
        action={`/portal/operator/feeds/${id}/revoke`}
        label={t('Revocar', 'Revoke')}
        question={t(
          'Su dirección deja de funcionar de inmediato y el feed se elimina.',
          'Its address stops working immediately and the feed is removed.',
        )}
        yes={t('Revocar feed', 'Revoke feed')}
      />
    </li>
  )
}
