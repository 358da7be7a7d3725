import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SealedBox } from '../../lib/sealed-box.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Choices, Form, type Shown, TextField } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import type { UrlPolicy } from '../../webhooks/sender/url.ts'
import { addSource, listSources, readSource, removeSource, type Source } from '../connections.ts'
import { HOME } from './imports.tsx'

const HERE = `${HOME}/sources`

export interface ImportDeps extends PortalDeps {
  policy: UrlPolicy
  openImportBox(): Promise<SealedBox>
}

export function registerSources(app: FastifyInstance, { db, policy, openImportBox, now }: ImportDeps): void {
  app.get('/import/sources', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/import/sources',
    access: 'verified',
    run: async request => {
      const { form } = request
      const agentId = signedIn(request).id
      const sent = { kind: form.get('kind'), name: form.get('name'), address: form.get('address') }
      const id = await addSource(db, { box: await openImportBox(), policy }, agentId, sent)
      return readSource(db, agentId, id, now())
    },
    redraw: send,
    done: (_request, reply, id) => goTo(reply, `${HOME}/${id}`),
  })

  formRoute(app, {
    path: '/import/sources/:source/read',
    access: 'verified',
    run: request => readSource(db, signedIn(request).id, request.params.source, now()),
    redraw: send,
    done: (_request, reply, id) => goTo(reply, `${HOME}/${id}`),
  })

  formRoute(app, {
    path: '/import/sources/:source/remove',
    run: request => removeSource(db, signedIn(request).id, request.params.source),
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        HERE,
        t('Conexión quitada. Sus propiedades se quedan.', 'Connection removed. Its listings stay.'),
      ),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const sources = await listSources(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: t('Conexiones', 'Connections'),
        section: 'import',
        subtitle: t(
          'Un feed o tu cuenta de EasyBroker, que leemos cada día. La primera vez confirmas tú.',
          'A feed or your EasyBroker account, which we read every day. You confirm the first import.',
        ),
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            {t('Importaciones', 'Imports')}
          </a>
        ),
      },
      <Sources sources={sources} {...shown} />,
    )
  }
}

function Sources({ sources, ...shown }: Shown & { sources: Source[] }) {
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {sources.length === 0 ? (
        <Panel>
          <Empty icon="rss" title={t('Aún no tienes conexiones', 'No connections yet')}>
            {agent?.isVerified
              ? t(
                  'Lo nuevo de tu sistema llega cada día, y lo que quitas de ahí se despublica aquí.',
                  'What is new in your system arrives every day, and what you remove there is unpublished here.',
                )
              : t(
                  'Podrás crearlas cuando verifiquemos tu licencia.',
                  'You can add them once your license is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {sources.map(source => (
            <Item key={source.id} source={source} />
          ))}
        </ul>
      )}
      {agent?.isVerified && <NewSource {...shown} />}
    </div>
  )
}

function Item({ source }: { source: Source }) {
  const { t } = useVisit()
  return (
    <li class="flex min-w-0 flex-wrap items-center justify-between gap-4 rounded-box border border-base-300 bg-base-100 p-5">
      <div class="min-w-0">
        <h2 class="flex flex-wrap items-center gap-3 text-lg font-semibold break-words">
          {source.name}
          <Badge tone="primary">{source.kind === 'feed' ? 'Feed' : 'EasyBroker'}</Badge>
        </h2>
        <p class="mt-1 text-sm break-all text-base-content/75">
          {source.url && <span class="block">{source.url}</span>}
          {source.trusted ? (
            <>
              {t('Próxima lectura', 'Next read')}: <Time at={source.next_at} />
            </>
          ) : (
            t('Falta confirmar su primera lectura.', 'Its first read is not confirmed yet.')
          )}
        </p>
      </div>
      <div class="ml-auto flex flex-wrap justify-end gap-2">
        <ActionButton action={`${HERE}/${source.id}/read`}>{t('Leer ahora', 'Read now')}</ActionButton>
        <DangerButton
          action={`${HERE}/${source.id}/remove`}
          label={t('Quitar', 'Remove')}
          question={t(
            'Dejamos de leerla. Las propiedades que trajo se quedan como están.',
            'We stop reading it. The listings it brought stay as they are.',
          )}
          yes={t('Sí, quitarla', 'Yes, remove it')}
        />
      </div>
    </li>
  )
}

function NewSource(shown: Shown) {
  const { t } = useVisit()
  return (
    <Panel title={t('Nueva conexión', 'New connection')} class="self-start">
      <Form action={HERE} {...shown}>
        <Choices
          name="kind"
          label={t('De dónde', 'From where')}
          options={[
            {
              value: 'feed',
              label: 'Feed',
              hint: t('JSON, NDJSON, CSV o XML de Trovit', 'JSON, NDJSON, CSV or Trovit XML'),
            },
            { value: 'easybroker', label: 'EasyBroker', hint: t('Con tu llave de API', 'With your API key') },
          ]}
        />
        <TextField name="name" label={t('Nombre', 'Name')} maxlength={80} required />
        <TextField
          name="address"
          label={t('Dirección del feed o llave de EasyBroker', 'Feed address or EasyBroker key')}
          hint={t(
            'La llave se guarda cifrada y no se vuelve a mostrar.',
            'The key is stored encrypted and never shown again.',
          )}
          autocomplete="off"
          maxlength={2048}
          required
        />
        <Submit class="self-start">{t('Conectar y leer', 'Connect and read')}</Submit>
      </Form>
    </Panel>
  )
}
