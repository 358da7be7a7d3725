import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmPassword } from '../../agents/service.ts'
import { Problem } from '../../lib/problem.ts'
import { goTo, sendFragment, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { attempt, fieldErrors } from '../../ui/messages.ts'
import type { SecretBox } from '../secrets.ts'
import type { Network } from '../sender/network.ts'
import { sender } from '../sender/sender.ts'
import type { UrlPolicy } from '../sender/url.ts'
import * as service from '../service.ts'
import { NewSecret, OneWebhook, SentBody, UrlCheck, Webhooks } from './screens.tsx'

interface WebhookDeps extends PortalDeps {
  /** Opened at first use: it needs the database, which the mere description of the API does without. */
  openBox(): Promise<SecretBox>
  network: Network
  policy: UrlPolicy
}

interface ById {
  Params: { id: string }
}

const VERIFIED = { config: { access: 'verified' as const } }
const HOME = '/portal/webhooks'

export function registerWebhookScreens(app: FastifyInstance, deps: WebhookDeps): void {
  const { db, throttle, network, policy, openBox } = deps
  const send = sender({ network, policy })

  app.get('/webhooks', async (request, reply) => sendList(request, reply))

  app.get('/webhooks/check', VERIFIED, async (request, reply) => {
    const { lang } = request.visit
    const url = ((request.query as URLSearchParams).get('url') ?? '').trim()
    const problem = url === '' ? undefined : await service.checkUrl({ network, policy }, url)
    const message = problem && fieldErrors([problem], lang).url?.[0]
    return sendFragment(request, reply, <UrlCheck isEmpty={url === ''} message={message} />)
  })

  app.post('/webhooks', VERIFIED, async (request, reply) => {
    const { form, visit } = request
    const agent = signedIn(request)
    const done = await attempt(async () => {
      await confirmPassword(db, throttle, agent, form.get('password'))
      const wanted = { url: (form.get('url') ?? '').trim(), events: form.getAll('events') }
      return service.addWebhook({ db, box: await openBox(), network, policy }, agent.id, wanted)
    })
    if (done.errors) {
      reply.code(422)
      return sendList(request, reply, form, done.errors)
    }
    const { webhook, secret } = done.value
    return sendScreen(
      request,
      reply,
      { title: visit.t('Tu webhook está listo', 'Your webhook is ready'), section: 'webhooks' },
      <NewSecret secret={secret} id={webhook.id} />,
    )
  })

  app.get<ById>('/webhooks/:id', async (request, reply) => sendOne(request, reply, request.params.id))

  app.post<ById>('/webhooks/:id/events', async (request, reply) => {
    const { id } = request.params
    const { form, visit } = request
    const done = await attempt(() =>
      service.chooseEvents(db, signedIn(request).id, id, form.getAll('events')),
    )
    if (done.errors) {
      reply.code(422)
      return sendOne(request, reply, id, done.errors)
    }
    return goTo(reply, `${HOME}/${id}`, visit.t('Eventos guardados.', 'Events saved.'))
  })

  app.post<ById>('/webhooks/:id/test', VERIFIED, async (request, reply) => {
    const { id } = request.params
    const { t } = request.visit
    const box = await openBox()
    const { status, code, durationMs } = await service.testWebhook(
      { db, box, send },
      signedIn(request).id,
      id,
    )
    const result = `${status}${code === null ? '' : ` (${code})`} · ${durationMs} ms`
    return goTo(reply, `${HOME}/${id}`, {
      kind: status === 'ok' ? 'success' : 'error',
      text: t(`Prueba enviada: ${result}`, `Test sent: ${result}`),
    })
  })

  app.post<ById>('/webhooks/:id/pause', async (request, reply) => {
    const { id } = request.params
    await service.pauseWebhook(db, signedIn(request).id, id)
    return goTo(reply, `${HOME}/${id}`, request.visit.t('Webhook en pausa.', 'Webhook paused.'))
  })

  app.post<ById>('/webhooks/:id/resume', VERIFIED, async (request, reply) => {
    const { id } = request.params
    await service.resumeWebhook(db, signedIn(request).id, id)
    return goTo(reply, `${HOME}/${id}`, request.visit.t('Webhook activo.', 'Webhook active.'))
  })

  app.post<ById>('/webhooks/:id/remove', async (request, reply) => {
    await service.removeWebhook(db, signedIn(request).id, request.params.id)
    return goTo(reply, HOME, request.visit.t('Webhook eliminado.', 'Webhook removed.'))
  })

  app.post<ById>('/webhooks/:id/secret', VERIFIED, async (request, reply) => {
    const { id } = request.params
    const { form, visit } = request
    const agent = signedIn(request)
    const done = await attempt(async () => {
      await confirmPassword(db, throttle, agent, form.get('password'))
      return service.renewSecret({ db, box: await openBox() }, agent.id, id)
    })
    if (done.errors) {
      reply.code(422)
      return sendOne(request, reply, id, done.errors)
    }
    return sendScreen(
      request,
      reply,
      { title: visit.t('Tu secreto nuevo', 'Your new secret'), section: 'webhooks' },
      <NewSecret secret={done.value} id={id} />,
    )
  })

  app.get<{ Params: { id: string; uid: string } }>(
    '/webhooks/:id/deliveries/:uid',
    async (request, reply) => {
      const { id, uid } = request.params
      const sent = await service.findSent(db, signedIn(request).id, id, uid)
      const { t } = request.visit
      return sendScreen(
        request,
        reply,
        { title: t('Lo que se envió', 'What was sent'), section: 'webhooks' },
        <SentBody sent={sent} id={id} />,
      )
    },
  )

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    values?: URLSearchParams,
    errors: readonly string[] = [],
  ) {
    const { t } = request.visit
    const webhooks = await service.listWebhooks(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: 'Webhooks',
        section: 'webhooks',
        subtitle: t(
          'Avisamos a tu sistema cuando llega un prospecto o cambia una propiedad.',
          'We tell your system when a lead arrives or a listing changes.',
        ),
      },
      <Webhooks webhooks={webhooks} values={values} errors={errors} />,
    )
  }

  async function sendOne(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    errors: readonly string[] = [],
  ) {
    const agent = signedIn(request)
    const webhook = (await service.listWebhooks(db, agent.id)).find(one => one.id === id)
    if (!webhook) throw new Problem('not_found')
    const deliveries = await service.listDeliveries(db, agent.id, id, 100)
    return sendScreen(
      request,
      reply,
      { title: new URL(webhook.url).host, section: 'webhooks' },
      <OneWebhook webhook={webhook} deliveries={deliveries} errors={errors} />,
    )
  }
}
