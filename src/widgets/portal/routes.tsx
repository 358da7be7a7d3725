import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import type { Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { attempt } from '../../ui/messages.ts'
import { widgetFields } from '../rules.ts'
import * as service from '../service.ts'
import { OneWidget, Widgets } from './screens.tsx'

interface ById {
  Params: { id: string }
}

const VERIFIED = { config: { access: 'verified' as const } }
const HOME = '/portal/widgets'

export function registerWidgetScreens(app: FastifyInstance, { db, publicUrl }: PortalDeps): void {
  async function sendList(request: FastifyRequest, reply: FastifyReply, form?: Shown) {
    const { t } = request.visit
    const widgets = await service.listWidgets(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: 'Widgets',
        section: 'widgets',
        subtitle: t(
          'Tus propiedades o un formulario de contacto, dentro de tu propio sitio.',
          'Your listings or a contact form, inside your own site.',
        ),
        ...(form ? { status: 422 } : {}),
      },
      <Widgets widgets={widgets} form={form} />,
    )
  }

  async function sendOne(request: FastifyRequest<ById>, reply: FastifyReply, form?: Shown) {
    const agent = signedIn(request)
    const { t } = request.visit
    const widget = await service.findOwn(db, agent.id, request.params.id)
    const page = await service.findAgentPage(db, agent.id)
    return sendScreen(
      request,
      reply,
      {
        title: widget.name,
        section: 'widgets',
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            <Icon name="code" class="size-4" />
            {t('Todos los widgets', 'All widgets')}
          </a>
        ),
        ...(form ? { status: 422 } : {}),
      },
      <OneWidget {...{ widget, page, publicUrl, form }} />,
    )
  }

  app.get('/widgets', (request, reply) => sendList(request, reply))

  app.post('/widgets', VERIFIED, async (request, reply) => {
    const { form: values, visit } = request
    const sent = readBody(widgetFields, Object.fromEntries(values))
    const done = await attempt(() => service.createWidget(db, signedIn(request).id, sent))
    if (done.errors) return sendList(request, reply, { values, errors: done.errors })
    const text = visit.t(
      'Widget creado. Copia el código en tu sitio.',
      'Widget created. Copy the code to your site.',
    )
    return goTo(reply, `${HOME}/${done.value}`, text)
  })

  app.get<ById>('/widgets/:id', (request, reply) => sendOne(request, reply))

  app.post<ById>('/widgets/:id/edit', async (request, reply) => {
    const { form: values, visit } = request
    const { id } = request.params
    const sent = readBody(widgetFields, Object.fromEntries(values))
    const done = await attempt(() => service.changeWidget(db, signedIn(request).id, id, sent))
    if (done.errors) return sendOne(request, reply, { values, errors: done.errors })
    return goTo(reply, `${HOME}/${id}`, visit.t('Guardado.', 'Saved.'))
  })

  app.post<ById>('/widgets/:id/pause', async (request, reply) => {
    const { id } = request.params
    await service.switchWidget(db, signedIn(request).id, id, false)
    return goTo(reply, `${HOME}/${id}`, request.visit.t('Widget apagado.', 'Widget switched off.'))
  })

  app.post<ById>('/widgets/:id/resume', async (request, reply) => {
    const { id } = request.params
    await service.switchWidget(db, signedIn(request).id, id, true)
    return goTo(reply, `${HOME}/${id}`, request.visit.t('Widget encendido.', 'Widget switched on.'))
  })

  app.post<ById>('/widgets/:id/remove', async (request, reply) => {
    await service.removeWidget(db, signedIn(request).id, request.params.id)
    return goTo(reply, HOME, request.visit.t('Widget eliminado.', 'Widget removed.'))
  })
}
