import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown, TextArea, TextField } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { leadFields } from '../schema.ts'
import { enterLead } from '../service.ts'

const FIELDS = ['name', 'email', 'phone', 'message'] as const

/** Someone who called or came by. Verified agents only, like everything that stores other people's data in bulk. */
export function registerNewLead(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/leads/new', VERIFIED, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/leads/new',
    access: 'verified',
    run: request => {
      const typed = FIELDS.map(name => [name, request.form.get(name)?.trim() || null])
      return enterLead(db, signedIn(request).id, readBody(leadFields, Object.fromEntries(typed)))
    },
    redraw: send,
    done: ({ visit: { t } }, reply, lead) =>
      goTo(reply, `/portal/leads/${lead.id}`, t('Prospecto guardado.', 'Lead saved.')),
  })
}

function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    { title: t('Nuevo prospecto', 'New lead'), section: 'leads' },
    <NewLead {...shown} />,
  )
}

function NewLead(shown: Shown) {
  const { t } = useVisit()
  return (
    <Panel
      class="max-w-2xl"
      note={t(
        'Alguien que te llamó o te visitó. Solo tú lo ves.',
        'Someone who called or visited you. Only you can see it.',
      )}
    >
      <Form action="/portal/leads/new" {...shown}>
        <TextField name="name" label={t('Nombre', 'Name')} maxlength={200} required />
        <TextField name="phone" type="tel" label={t('Teléfono', 'Phone')} maxlength={40} />
        <TextField name="email" type="email" label={t('Correo', 'Email')} maxlength={254} />
        <TextArea
          name="message"
          label={t('Qué busca', 'What they are looking for')}
          rows={4}
          maxlength={5_000}
        />
        <div class="flex flex-wrap gap-3">
          <Submit>{t('Guardar prospecto', 'Save lead')}</Submit>
          <a class="btn btn-ghost" href="/portal/leads">
            {t('Cancelar', 'Cancel')}
          </a>
        </div>
      </Form>
    </Panel>
  )
}
