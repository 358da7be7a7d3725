import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { WINDOW_MINUTES } from '../../http/rate-limit.ts'
import { numberText } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton, Submit } from '../../ui/buttons.tsx'
import { Choices, Form, PasswordAgain, type Shown, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { issueOwnKey, listOwnKeys, revokeOwnKey } from '../service.ts'
import { NewKey } from './new-key.tsx'

interface KeyDeps extends PortalDeps {
  /** Requests a key may make within the window. */
  rateLimit(): number
  /** Requests made within the window. */
  requestsOf(keyId: string): Promise<number>
}

export function registerKeyScreens(app: FastifyInstance, deps: KeyDeps): void {
  const { db, throttle, publicUrl, rateLimit, requestsOf } = deps

  app.get('/keys', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/keys',
    access: 'verified',
    run: async request => {
      const { form } = request
      const agent = signedIn(request)
      await confirmPassword(db, throttle, agent, form.get('password'))
      return issueOwnKey(db, agent, { label: form.get('label') ?? '', scopes: form.get('scopes') ?? '' })
    },
    redraw: send,
    // No redirect: the key is shown only in this response.
    done: (request, reply, { key }) =>
      sendScreen(
        request,
        reply,
        { title: request.visit.t('Tu llave nueva', 'Your new key'), section: 'keys' },
        <NewKey value={key} publicUrl={publicUrl} />,
      ),
  })

  formRoute(app, {
    path: '/keys/:prefix/revoke',
    run: request => revokeOwnKey(db, signedIn(request).id, request.params.prefix),
    done: ({ visit }, reply) =>
      goTo(reply, '/portal/keys', visit.t('La llave dejó de funcionar.', 'The key no longer works.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const agent = signedIn(request)
    const rows = await listOwnKeys(db, agent.id)
    const keys = await Promise.all(
      rows.map(async ({ id, ...key }) => ({
        ...key,
        requests: await requestsOf(id),
        rateLimit: rateLimit(),
      })),
    )
    return sendScreen(
      request,
      reply,
      {
        title: t('Llaves de API', 'API keys'),
        section: 'keys',
        subtitle: t(
          'Para conectar tu sitio o tu CRM. Cada llave actúa en tu nombre.',
          'Connect your site or CRM. Each key acts on your behalf.',
        ),
        actions: (
          <a class="btn btn-sm" href="/docs">
            <Icon name="document" />
            {t('Documentación', 'Documentation')}
          </a>
        ),
      },
      <Keys keys={keys} {...shown} />,
    )
  }
}

type Key = Omit<Awaited<ReturnType<typeof listOwnKeys>>[number], 'id'> & {
  requests: number
  rateLimit: number
}

function Keys({ keys, values = {}, errors = [] }: Shown & { keys: Key[] }) {
  const { t, agent } = useVisit()
  return (
    <>
      <Panel title={t('Tus llaves', 'Your keys')}>
        {keys.length === 0 ? (
          <Empty icon="key" title={t('Aún no tienes llaves', 'No keys yet')}>
            {agent?.isVerified
              ? t('Crea la primera aquí abajo.', 'Create the first one below.')
              : t(
                  'Podrás crear llaves cuando verifiquemos tu licencia.',
                  'You can create keys once your license is verified.',
                )}
          </Empty>
        ) : (
          <ul class="flex flex-col divide-y divide-base-300">
            {keys.map(key => (
              <KeyRow key={key.prefix} item={key} />
            ))}
          </ul>
        )}
      </Panel>
      {agent?.isVerified && (
        <Panel title={t('Crear una llave', 'Create a key')} class="max-w-3xl">
          <KeyForm values={values} errors={errors} />
        </Panel>
      )}
    </>
  )
}

function KeyForm({ values, errors }: Required<Shown>) {
  const { t } = useVisit()
  return (
    <Form action="/portal/keys" values={values} errors={errors}>
      <TextField
        name="label"
        label={t('Nombre', 'Label')}
        hint={t('Para reconocerla: «Mi sitio web», «CRM».', 'To recognize it: “My website”, “CRM”.')}
        maxlength={80}
        required
      />
      <Choices
        name="scopes"
        label={t('Permisos', 'Permissions')}
        options={[
          {
            value: 'read',
            label: t('Solo lectura', 'Read only'),
            hint: t(
              'Consulta propiedades y tus prospectos, con sus datos personales.',
              'Reads listings and your leads, personal data included.',
            ),
          },
          {
            value: 'read,write',
            label: t('Lectura y escritura', 'Read and write'),
            hint: t(
              'Además crea, edita y publica en tu nombre.',
              'Also creates, edits and publishes in your name.',
            ),
          },
        ]}
      />
      <PasswordAgain />
      <Submit class="self-start">{t('Crear llave', 'Create key')}</Submit>
    </Form>
  )
}

function KeyRow({ item }: { item: Key }) {
  const { t, lang } = useVisit()
  const isRevoked = item.revoked_at !== null
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div class="min-w-0 flex-1">
        <p class="flex flex-wrap items-center gap-2 font-medium break-words">
          {item.label}
          <Badge tone={item.scopes.includes('write') ? 'primary' : 'neutral'}>
            {item.scopes.includes('write')
              ? t('Lectura y escritura', 'Read and write')
              : t('Solo lectura', 'Read only')}
          </Badge>
          {isRevoked && <Badge tone="error">{t('Revocada', 'Revoked')}</Badge>}
        </p>
        <p class="mt-1 text-sm text-base-content/70">
          <code>svc_{item.prefix}_…</code> · {t('Creada', 'Created')} <Time at={item.created_at} day />
        </p>
        <p class="text-sm text-base-content/70">
          {item.last_used_at ? (
            <>
              {t('Último uso', 'Last used')} <Time at={item.last_used_at} />
            </>
          ) : (
            t('Sin usar', 'Never used')
          )}
          {!isRevoked && (
            <>
              {' '}
              ·{' '}
              {t(
                `${numberText(item.requests, lang)} de ${numberText(item.rateLimit, lang)} solicitudes en ${WINDOW_MINUTES} min`,
                `${numberText(item.requests, lang)} of ${numberText(item.rateLimit, lang)} requests in ${WINDOW_MINUTES} min`,
              )}
            </>
          )}
        </p>
      </div>
      {!isRevoked && (
        <DangerButton
          action={`/portal/keys/${item.prefix}/revoke`}
          label={t('Revocar', 'Revoke')}
          question={t(
            'Lo que use esta llave dejará de funcionar al instante. No se puede deshacer.',
            'Anything that uses this key stops working immediately. This cannot be undone.',
          )}
          yes={t('Revocar llave', 'Revoke key')}
        />
      )}
    </li>
  )
}
