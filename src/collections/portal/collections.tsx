import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { collectionFields, sharedPath } from '../rules.ts'
import { type CollectionInList, createCollection, listCollections } from '../service.ts'
import { CollectionFields, HOME } from './fields.tsx'

export function registerCollections(app: FastifyInstance, { db, publicUrl }: PortalDeps): void {
  app.get('/collections', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/collections',
    access: 'verified',
    run: request => {
      const sent = readBody(collectionFields, Object.fromEntries(request.form))
      return createCollection(db, signedIn(request).id, sent)
    },
    redraw: send,
    done: ({ visit: { t } }, reply, id) =>
      goTo(
        reply,
        `${HOME}/${id}`,
        t('Colección creada. Ahora elige propiedades.', 'Collection created. Now pick listings.'),
      ),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const collections = await listCollections(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: t('Colecciones', 'Collections'),
        section: 'collections',
        subtitle: t(
          'Elige propiedades, tuyas o de otros agentes, y comparte una página con tu cliente. Las preguntas te llegan a ti.',
          'Pick listings, yours or other agents’, and share one page with your client. Inquiries from the page come to you.',
        ),
      },
      <Collections collections={collections} publicUrl={publicUrl} {...shown} />,
    )
  }
}

interface ListProps extends Shown {
  collections: CollectionInList[]
  publicUrl: string
}

function Collections({ collections, publicUrl, ...shown }: ListProps) {
  const { t, agent } = useVisit()
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
                  'You can share collections once your license is verified.',
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
          <Form action={HOME} {...shown}>
            <CollectionFields />
            <Submit class="self-start">{t('Crear colección', 'Create collection')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}
