import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { widgetFields } from '../rules.ts'
import type { Widget } from '../service.ts'
import * as service from '../service.ts'
import { HOME, State, WidgetFields } from './fields.tsx'
import { snippetOf } from './snippet.ts'

interface ById {
  Params: { id: string }
}

export function registerWidget(app: FastifyInstance, { db, publicUrl }: PortalDeps): void {
  app.get<ById>('/widgets/:id', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/widgets/:id/edit',
    run: request => {
      const sent = readBody(widgetFields, Object.fromEntries(request.form))
      return service.changeWidget(db, signedIn(request).id, request.params.id, sent)
    },
    redraw: send,
    done: ({ params, visit }, reply) => goTo(reply, `${HOME}/${params.id}`, visit.t('Guardado.', 'Saved.')),
  })

  formRoute(app, {
    path: '/widgets/:id/pause',
    run: request => service.switchWidget(db, signedIn(request).id, request.params.id, false),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Widget desactivado.', 'Widget turned off.')),
  })

  formRoute(app, {
    path: '/widgets/:id/resume',
    run: request => service.switchWidget(db, signedIn(request).id, request.params.id, true),
    done: ({ params, visit }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, visit.t('Widget activado.', 'Widget turned on.')),
  })

  formRoute(app, {
    path: '/widgets/:id/remove',
    run: request => service.removeWidget(db, signedIn(request).id, request.params.id),
    done: ({ visit }, reply) => goTo(reply, HOME, visit.t('Widget eliminado.', 'Widget removed.')),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const agent = signedIn(request)
    const { t } = request.visit
    const widget = await service.findOwn(db, agent.id, request.params.id)
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
      },
      <OneWidget {...{ widget, page: agent, publicUrl }} {...shown} />,
    )
  }
}

interface OneProps {
  widget: Widget
  page: { name: string; slug: string }
  publicUrl: string
}

function OneWidget({ widget, page, publicUrl, values, errors }: OneProps & Shown) {
  const { t } = useVisit()
  const path = `${HOME}/${widget.id}`
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Code widget={widget} page={page} publicUrl={publicUrl} />
        <Panel title={t('Cómo se ve', 'How it looks')}>
          <div class="flex flex-wrap gap-2">
            <a class="btn btn-sm" href={`/widget/${widget.id}`} target="_blank" rel="noopener">
              <Icon name="external" class="size-4" />
              {t('Abrir', 'Open')}
            </a>
            {!widget.revoked_at && (
              <ActionButton action={`${path}/${widget.active ? 'pause' : 'resume'}`}>
                {widget.active ? t('Desactivar', 'Turn off') : t('Activar', 'Turn on')}
              </ActionButton>
            )}
            <DangerButton
              action={`${path}/remove`}
              label={t('Eliminar', 'Remove')}
              question={t(
                'Dejará de mostrarse en tu sitio. Conservarás los prospectos que llegaron por él.',
                'It disappears from your site. Leads it brought in are kept.',
              )}
              yes={t('Sí, eliminarlo', 'Yes, remove it')}
            />
          </div>
        </Panel>
      </div>
      <Panel title={t('Ajustes', 'Settings')} class="self-start">
        <Form
          action={`${path}/edit`}
          values={values ?? { ...widget, domains: widget.domains.join('\n') }}
          errors={errors}
        >
          <WidgetFields />
          <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}

function Code({ widget, page, publicUrl }: OneProps) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Código para tu sitio', 'Code for your site')}
      note={t(
        'Pégalo donde quieras que aparezca, en una página de alguno de tus dominios.',
        'Paste it where it should appear, on a page in one of your domains.',
      )}
      actions={<State widget={widget} />}
    >
      <Copyable
        text={snippetOf(widget, page, publicUrl)}
        label={t('Código del widget', 'Widget code')}
        rows={8}
        stacked
      />
      <p class="mt-4 text-sm text-base-content/75">
        {t(
          'Se ve claro; agrega data-theme="dark" para que se vea oscuro, o data-theme="auto" para que siga al visitante.',
          'It is light; add data-theme="dark" to make it dark, or data-theme="auto" to follow the visitor.',
        )}
      </p>
    </Panel>
  )
}
