import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { kindWords, widgetFields } from '../rules.ts'
import { createWidget, listWidgets, type WidgetInList } from '../service.ts'
import { HOME, State, WidgetFields } from './fields.tsx'

export function registerWidgets(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/widgets', (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/widgets',
    access: 'verified',
    run: request =>
      createWidget(db, signedIn(request).id, readBody(widgetFields, Object.fromEntries(request.form))),
    redraw: send,
    done: ({ visit: { t } }, reply, id) =>
      goTo(
        reply,
        `${HOME}/${id}`,
        t('Widget creado. Copia el código en tu sitio.', 'Widget created. Copy the code to your site.'),
      ),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const widgets = await listWidgets(db, signedIn(request).id)
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
      },
      <Widgets widgets={widgets} {...shown} />,
    )
  }
}

function Widgets({ widgets, ...shown }: Shown & { widgets: WidgetInList[] }) {
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {widgets.length === 0 ? (
        <Panel>
          <Empty icon="code" title={t('Aún no tienes widgets', 'No widgets yet')}>
            {agent?.isVerified
              ? t(
                  'Crea el primero y copia una línea de código en tu sitio.',
                  'Create your first widget and copy one line of code to your site.',
                )
              : t(
                  'Podrás crearlos cuando verifiquemos tu licencia.',
                  'You can create them once your license is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {widgets.map(widget => (
            <li key={widget.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
              <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 class="min-w-0 text-lg font-semibold break-words">
                  <a class="link link-hover" href={`${HOME}/${widget.id}`}>
                    {widget.name}
                  </a>
                </h2>
                <Badge tone="primary">{kindWords(t)[widget.kind]}</Badge>
                <State widget={widget} />
              </div>
              <p class="mt-1 text-sm break-words text-base-content/75">
                {widget.domains.join(', ')}
                {widget.kind === 'inquiry' && (
                  <>
                    {' · '}
                    {widget.leads === 1
                      ? t('1 prospecto', '1 lead')
                      : t(`${widget.leads} prospectos`, `${widget.leads} leads`)}
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      {agent?.isVerified && (
        <Panel title={t('Nuevo widget', 'New widget')} class="self-start">
          <Form action={HOME} {...shown}>
            <WidgetFields />
            <Submit class="self-start">{t('Crear widget', 'Create widget')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}
