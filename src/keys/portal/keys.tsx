import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { API_PREFIX } from '../../http/openapi.ts'
import { WINDOW_MINUTES } from '../../http/rate-limit.ts'
import { useVisit } from '../../portal/context.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Choices, Form, PasswordAgain, type Shown, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { attempt } from '../../ui/messages.ts'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { issueOwnKey, listOwnKeys, revokeOwnKey } from '../service.ts'

interface KeyDeps extends PortalDeps {
  /** Requests that a key may make within the window. */
  rateLimit: number
  /** Those it made, as this process counted them. */
  requestsOf(keyId: string): number
}

const VERIFIED = { config: { access: 'verified' as const } }

export function registerKeyScreens(app: FastifyInstance, deps: KeyDeps): void {
  const { db, throttle, publicUrl, rateLimit, requestsOf } = deps

  app.get('/keys', async (request, reply) => send(request, reply))

  app.post('/keys', VERIFIED, async (request, reply) => {
    const { form, visit } = request
    const { t } = visit
    const agent = signedIn(request)
    const done = await attempt(async () => {
      await confirmPassword(db, throttle, agent, form.get('password'))
      return issueOwnKey(db, agent, { label: form.get('label') ?? '', scopes: form.get('scopes') ?? '' })
    })
    if (done.errors) {
      reply.code(422)
      return send(request, reply, { values: form, errors: done.errors })
    }
    // The answer itself, and no redirect: the key exists in this page alone.
    return sendScreen(
      request,
      reply,
      { title: t('Tu llave nueva', 'Your new key'), section: 'keys' },
      <NewKey value={done.value.key} publicUrl={publicUrl} />,
    )
  })

  app.post<{ Params: { prefix: string } }>('/keys/:prefix/revoke', async (request, reply) => {
    await revokeOwnKey(db, signedIn(request).id, request.params.prefix)
    const { t } = request.visit
    return goTo(reply, '/portal/keys', t('La llave dejó de funcionar.', 'The key no longer works.'))
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const agent = signedIn(request)
    const rows = await listOwnKeys(db, agent.id)
    const keys = rows.map(({ id, ...key }) => ({ ...key, requests: requestsOf(id), rateLimit }))
    return sendScreen(
      request,
      reply,
      {
        title: t('Llaves de API', 'API keys'),
        section: 'keys',
        subtitle: t(
          'Para conectar tu sitio o tu CRM. Cada llave habla en tu nombre.',
          'To connect your site or your CRM. Each key speaks in your name.',
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
                  'You can create keys once your licence is verified.',
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
          <Form action="/portal/keys" values={values} errors={errors}>
            <TextField
              name="label"
              label={t('Nombre', 'Label')}
              hint={t('Para reconocerla: «Mi sitio web», «CRM».', 'To recognise it: “My website”, “CRM”.')}
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
        </Panel>
      )}
    </>
  )
}

function KeyRow({ item }: { item: Key }) {
  const { t } = useVisit()
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
                `${item.requests} de ${item.rateLimit} solicitudes en ${WINDOW_MINUTES} min`,
                `${item.requests} of ${item.rateLimit} requests in ${WINDOW_MINUTES} min`,
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
            'Whatever uses this key stops working at once. This cannot be undone.',
          )}
          yes={t('Revocar llave', 'Revoke key')}
        />
      )}
    </li>
  )
}

function NewKey({ value, publicUrl }: { value: string; publicUrl: string }) {
  const { t } = useVisit()
  return (
    <Panel class="max-w-3xl">
      <div class="flex flex-col gap-5">
        <p>
          <strong>
            {t('Guárdala ahora: no se vuelve a mostrar.', 'Keep it now: it is not shown again.')}
          </strong>{' '}
          {t('Si se pierde, revócala y crea otra.', 'If it gets lost, revoke it and create another.')}
        </p>
        <Copyable text={value} label={t('Llave', 'Key')} />
        <div class="text-sm text-base-content/80">
          <p class="mb-2">{t('Pruébala desde una terminal:', 'Try it from a terminal:')}</p>
          <pre class="rounded-field bg-base-200 p-4 break-all whitespace-pre-wrap">
            <code>{`curl -H 'Authorization: Bearer ${value}' ${publicUrl}${API_PREFIX}/me`}</code>
          </pre>
        </div>
        <a class="btn self-start" href="/portal/keys">
          {t('Ya la guardé', 'I have kept it')}
        </a>
      </div>
    </Panel>
  )
}
