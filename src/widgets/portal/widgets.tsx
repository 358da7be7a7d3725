import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { Card, CardsBesideForm } from '../../portal/cards.tsx'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
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
  const { t } = useVisit()
  return (
    <CardsBesideForm
      empty={{
        icon: 'code',
        title: t('Aún no tienes widgets', 'No widgets yet'),
        hint: t(
          'Crea el primero y copia una línea de código en tu sitio.',
          'Create your first widget and copy one line of code to your site.',
        ),
      }}
      cards={widgets.map(widget => <WidgetCard key={widget.id} widget={widget} />)}
      form={
        <Panel title={t('Nuevo widget', 'New widget')} class="self-start">
          <Form action={HOME} {...shown}>
            <WidgetFields />
            <Submit class="self-start">{t('Crear widget', 'Create widget')}</Submit>
          </Form>
        </Panel>
      }
    />
  )
}

function WidgetCard({ widget }: { widget: WidgetInList }) {
  const { t } = useVisit()
  const { id, name, kind, domains, leads } = widget
  const brought = leads === 1 ? t('1 prospecto', '1 lead') : t(`${leads} prospectos`, `${leads} leads`)
  const badges = (
    <>
      <Badge tone="primary">{kindWords(t)[kind]}</Badge>
      <State widget={widget} />
    </>
  )
  return (
    <Card href={`${HOME}/${id}`} name={name} badges={badges}>
      {domains.join(', ')}
      {kind === 'inquiry' && ` · ${brought}`}
    </Card>
  )
}
