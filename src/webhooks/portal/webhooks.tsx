import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { pageWords } from '../../lib/page-words.ts'
import { USUAL_EVENTS } from '../../outbox/store.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { sendFragment, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, PasswordAgain, type Shown, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { addWebhook, checkUrl, listWebhooks, type Webhook } from '../service.ts'
import { HOME, type WebhookDeps } from './deps.ts'
import { EventChoices, LastStatus } from './parts.tsx'
import { sendNewSecret } from './secret.tsx'

export function registerWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  const { db, throttle, network, policy, openBox } = deps

  app.get('/webhooks', async (request, reply) => send(request, reply))

  app.get('/webhooks/check', VERIFIED, async (request, reply) => {
    const { lang } = request.visit
    const url = ((request.query as URLSearchParams).get('url') ?? '').trim()
    // Each is a DNS query: ten in ten minutes, and submitting the form checks again.
    const isChecked =
      url !== '' && (await throttle.account.take(`webhook check ${signedIn(request).id}`)).allowed
    const problem = isChecked ? await checkUrl({ network, policy }, url) : undefined
    const message = problem && pageWords(problem, lang)
    return sendFragment(request, reply, <UrlCheck isEmpty={!isChecked} message={message} />)
  })

  formRoute(app, {
    path: '/webhooks',
    access: 'verified',
    run: async request => {
      const { form } = request
      const agent = signedIn(request)
      await confirmPassword(db, throttle, agent, form.get('password'))
      const wanted = { url: (form.get('url') ?? '').trim(), events: form.getAll('events') }
      return addWebhook({ db, box: await openBox(), network, policy }, agent.id, wanted)
    },
    redraw: send,
    done: (request, reply, { webhook, secret }) => {
      const title = request.visit.t('Tu webhook está listo', 'Your webhook is ready')
      return sendNewSecret(request, reply, title, { secret, id: webhook.id })
    },
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const webhooks = await listWebhooks(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: 'Webhooks',
        section: 'webhooks',
        subtitle: t(
          'Avisamos a tu sistema cuando llega un prospecto o cambia una propiedad.',
          'We notify your system when a lead arrives or a listing changes.',
        ),
      },
      <Webhooks webhooks={webhooks} {...shown} />,
    )
  }
}

function Webhooks({ webhooks, ...shown }: Shown & { webhooks: Webhook[] }) {
  const { t, agent } = useVisit()
  return (
    <>
      <Panel>
        {webhooks.length === 0 ? (
          <Empty icon="bolt" title={t('Aún no tienes webhooks', 'No webhooks yet')}>
            {agent?.isVerified
              ? t('Agrega el primero aquí abajo.', 'Add the first one below.')
              : t(
                  'Podrás agregarlos cuando verifiquemos tu licencia.',
                  'You can add them once your license is verified.',
                )}
          </Empty>
        ) : (
          <WebhookTable webhooks={webhooks} />
        )}
      </Panel>
      {agent?.isVerified && (
        <Panel title={t('Agregar un webhook', 'Add a webhook')} class="max-w-3xl">
          <AddForm {...shown} />
        </Panel>
      )}
    </>
  )
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  const { t } = useVisit()
  return (
    <div class="overflow-x-auto">
      <table class="table">
        <thead class="text-base-content/80">
          <tr>
            <th scope="col">{t('Dirección', 'URL')}</th>
            <th scope="col" class="hidden sm:table-cell">
              {t('Eventos', 'Events')}
            </th>
            <th scope="col">{t('Último estatus', 'Last status')}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map(webhook => (
            <tr key={webhook.id}>
              <td class="max-w-xs">
                <a class="link font-medium break-all" href={`${HOME}/${webhook.id}`}>
                  {webhook.url}
                </a>{' '}
                {!webhook.active && <Badge tone="warning">{t('En pausa', 'Paused')}</Badge>}
              </td>
              <td class="hidden text-sm sm:table-cell">{webhook.events.join(', ')}</td>
              <td class="text-sm">
                <LastStatus status={webhook.last_status} code={webhook.last_code} />{' '}
                {webhook.last_at && <Time at={webhook.last_at} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AddForm({ values = { events: USUAL_EVENTS }, errors }: Shown) {
  const { t } = useVisit()
  return (
    <Form action={HOME} values={values} errors={errors}>
      <TextField
        name="url"
        type="url"
        label={t('Dirección de tu servidor', 'URL of your server')}
        hint={t(
          'https y pública. Se comprueba ahora y en cada entrega.',
          'https and public. Checked now and at every delivery.',
        )}
        placeholder="https://"
        maxlength={2048}
        attributes={{
          'hx-get': `${HOME}/check`,
          'hx-trigger': 'input changed delay:600ms',
          'hx-target': '#url-check',
        }}
        required
      />
      <div id="url-check" aria-live="polite" class="-mt-3 empty:hidden" />
      <EventChoices />
      <PasswordAgain />
      <Submit class="self-start">{t('Agregar webhook', 'Add webhook')}</Submit>
    </Form>
  )
}

function UrlCheck({ isEmpty, message }: { isEmpty: boolean; message: string | undefined }) {
  const { t } = useVisit()
  if (isEmpty) return <span />
  return message ? (
    <p class="text-sm font-medium text-error">
      {t('La dirección', 'The URL')} {message}.
    </p>
  ) : (
    <p class="flex items-center gap-1.5 text-sm font-medium text-success">
      <Icon name="check" class="size-4" />
      {t('Dirección correcta', 'This URL is fine')}
    </p>
  )
}
