import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listCollections } from '../../collections/service.ts'
import { readBody } from '../../lib/fields.ts'
import { Card, CardsBesideForm } from '../../portal/cards.tsx'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { feedFields, formatWords } from '../rules.ts'
import { createFeed, type Feed, hasAgency, listFeeds } from '../service.ts'
import type { FeedDeps } from './feed.tsx'
import { FeedFields } from './fields.tsx'
import { HOME, LastRead, Selection, type Titles } from './parts.tsx'

export function registerFeeds(app: FastifyInstance, { db, openFeedBox }: FeedDeps): void {
  app.get('/feeds', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/feeds',
    access: 'verified',
    run: async request =>
      createFeed(
        db,
        await openFeedBox(),
        signedIn(request).id,
        readBody(feedFields, Object.fromEntries(request.form)),
      ),
    redraw: send,
    done: ({ visit: { t } }, reply, id) =>
      goTo(reply, `${HOME}/${id}`, t('Feed creado. Copia su dirección.', 'Feed created. Copy its address.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const { id } = signedIn(request)
    const [feeds, collections, isInAgency] = await Promise.all([
      listFeeds(db, id),
      listCollections(db, id),
      hasAgency(db, id),
    ])
    const titles = new Map(collections.map(collection => [collection.id, collection.title]))
    return sendScreen(
      request,
      reply,
      {
        title: 'Feeds',
        section: 'feeds',
        subtitle: t(
          'Tus propiedades publicadas en una dirección privada que otros portales y sistemas leen cuando quieren.',
          'Your published listings at a private address that other portals and systems read whenever they want.',
        ),
      },
      <Feeds {...{ feeds, titles, isInAgency }} {...shown} />,
    )
  }
}

interface FeedsProps extends Shown {
  feeds: Feed[]
  titles: Titles
  isInAgency: boolean
}

function Feeds({ feeds, titles, isInAgency, ...shown }: FeedsProps) {
  const { t } = useVisit()
  return (
    <CardsBesideForm
      empty={{
        icon: 'rss',
        title: t('Aún no tienes feeds', 'No feeds yet'),
        hint: t(
          'Crea el primero y entrega su dirección al portal o al sistema que la va a leer.',
          'Create your first feed and give its address to the portal or system that will read it.',
        ),
      }}
      cards={feeds.map(feed => (
        <Card
          key={feed.id}
          href={`${HOME}/${feed.id}`}
          name={feed.name}
          badges={<Badge tone="primary">{formatWords(t)[feed.format].name}</Badge>}
        >
          <Selection feed={feed} titles={titles} /> · <LastRead feed={feed} />
        </Card>
      ))}
      form={
        <Panel title={t('Nuevo feed', 'New feed')} class="self-start">
          <Form action={HOME} {...shown}>
            <FeedFields titles={titles} isInAgency={isInAgency} />
            <Submit class="self-start">{t('Crear feed', 'Create feed')}</Submit>
          </Form>
        </Panel>
      }
    />
  )
}
