import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listCollections } from '../../collections/service.ts'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Choices, Form, SelectField, type Shown, TextField } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { FORMATS, feedFields, formatWords } from '../rules.ts'
import { createFeed, type Feed, hasAgency, listFeeds } from '../service.ts'
import type { FeedDeps } from './feed.tsx'
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
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {feeds.length === 0 ? (
        <Panel>
          <Empty icon="rss" title={t('Aún no tienes feeds', 'No feeds yet')}>
            {agent?.isVerified
              ? t(
                  'Crea el primero y entrega su dirección al portal o al sistema que la va a leer.',
                  'Create your first feed and give its address to the portal or system that will read it.',
                )
              : t(
                  'Podrás crearlos cuando verifiquemos tu licencia.',
                  'You can create them once your license is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {feeds.map(feed => (
            <li key={feed.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
              <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 class="min-w-0 text-lg font-semibold break-words">
                  <a class="link link-hover" href={`${HOME}/${feed.id}`}>
                    {feed.name}
                  </a>
                </h2>
                <Badge tone="primary">{formatWords(t)[feed.format].name}</Badge>
              </div>
              <p class="mt-1 text-sm break-words text-base-content/75">
                <Selection feed={feed} titles={titles} /> · <LastRead feed={feed} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {agent?.isVerified && <NewFeed titles={titles} isInAgency={isInAgency} {...shown} />}
    </div>
  )
}

function NewFeed({ titles, isInAgency, ...shown }: Omit<FeedsProps, 'feeds'>) {
  const { t } = useVisit()
  const words = formatWords(t)
  return (
    <Panel title={t('Nuevo feed', 'New feed')} class="self-start">
      <Form action={HOME} {...shown}>
        <TextField
          name="name"
          label={t('Nombre', 'Name')}
          hint={t('Por ejemplo, quién lo va a leer.', 'For example, who will read it.')}
          maxlength={80}
          required
        />
        <SelectField
          name="listings"
          label={t('Qué propiedades', 'Which listings')}
          hint={t(
            'Solo las publicadas; no las que marcaste para no mostrarse en otros sitios.',
            'Only published ones; not those you keep off other sites.',
          )}
          options={[
            { value: 'own', label: t('Mis propiedades', 'My listings') },
            ...(isInAgency
              ? [{ value: 'agency', label: t('Las de mi inmobiliaria', 'Those of my agency') }]
              : []),
            ...[...titles].map(([value, title]) => ({
              value,
              label: `${t('Colección', 'Collection')}: ${title}`,
            })),
          ]}
          required
        />
        <Choices
          name="format"
          label={t('Formato', 'Format')}
          options={FORMATS.map(format => ({
            value: format,
            label: words[format].name,
            hint: words[format].hint,
          }))}
        />
        <Submit class="self-start">{t('Crear feed', 'Create feed')}</Submit>
      </Form>
    </Panel>
  )
}
