import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { issue } from '../../lib/issue.ts'
import { refuseIfAny } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Checkbox, Form, type Shown } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { listHolders } from '../handover.ts'
import { erasePerson, type LeadRow } from '../service.ts'
import { type ById, type LeadPage, pathOf } from './lead-page.ts'
import { nameOf } from './words.tsx'

export function registerErase(
  app: FastifyInstance,
  { db, removeMails }: Pick<PortalDeps, 'db' | 'removeMails'>,
  { leadOf }: LeadPage,
): void {
  app.get<ById>('/leads/:id/erase', async (request, reply) => send(request, reply, {}, await leadOf(request)))

  formRoute(app, {
    path: '/leads/:id/erase',
    read: leadOf,
    run: async (request, lead) => {
      if (request.form.get('sure') !== 'on') refuseIfAny([issue('sure', 'not_confirmed')])
      const holders = await listHolders(db, lead.id)
      await erasePerson(db, signedIn(request).id, lead.id, async contacts => {
        let removed = 0
        for (const email of holders) removed += await removeMails(contacts, email)
        return removed
      })
    },
    redraw: send,
    done: ({ visit: { t } }, reply, _, lead) =>
      goTo(
        reply,
        pathOf(lead),
        t('Los datos de la persona se eliminaron.', 'The person’s data has been erased.'),
      ),
  })
}

function send(request: FastifyRequest, reply: FastifyReply, { errors }: Shown, lead: LeadRow) {
  const title = request.visit.t('Eliminar los datos de una persona', 'Erase a person’s data')
  return sendScreen(request, reply, { title, section: 'leads' }, <Erase lead={lead} errors={errors} />)
}

/** Link to this screen from the lead page. */
export function Privacy({ lead }: { lead: LeadRow }) {
  const { t } = useVisit()
  if (lead.erased_at) {
    return (
      <Panel title={t('Datos personales', 'Personal data')}>
        <p class="text-sm text-base-content/75">
          {t('Eliminados el', 'Erased on')} <Time at={lead.erased_at} day />
        </p>
      </Panel>
    )
  }
  return (
    <Panel title={t('Datos personales', 'Personal data')}>
      <p class="text-sm text-base-content/75">
        {t(
          'Si la persona pide que borres sus datos, puedes hacerlo aquí.',
          'If the person asks you to erase their data, you can do it here.',
        )}
      </p>
      <a class="btn mt-3 btn-outline btn-error btn-sm" href={`${pathOf(lead)}/erase`}>
        {t('Eliminar sus datos…', 'Erase their data…')}
      </a>
    </Panel>
  )
}

function Erase({ lead, errors }: { lead: LeadRow; errors: Shown['errors'] | undefined }) {
  const { t } = useVisit()
  const path = pathOf(lead)
  return (
    <Panel class="max-w-2xl">
      <div class="flex flex-col gap-5">
        <p>
          {t(
            `Se eliminarán el nombre, correo, teléfono, mensaje, identificación y tus notas y tareas de ${nameOf(lead, t)}, también de los eventos guardados para tus webhooks y de tus cooperaciones: ahí se van también los textos que la nombran y los archivos que agregaste. La fecha, la etapa y la propiedad se conservan para tus estadísticas.`,
            `The name, email, phone, message, identification and your notes and tasks about ${nameOf(lead, t)} will be erased, including from stored webhook events and from your cooperations, where texts that name them and files you added go too. The date, stage and listing are kept for your statistics.`,
          )}
        </p>
        <p class="text-sm text-base-content/75">
          {t(
            'No se puede deshacer. También tienes que borrar lo que ya recibieron tus sistemas o tu correo.',
            'This cannot be undone. You must also erase anything your own systems or mailbox have received.',
          )}
        </p>
        <Form action={`${path}/erase`} errors={errors}>
          <Checkbox
            name="sure"
            label={t('Sí, eliminar sus datos definitivamente', 'Yes, erase their data permanently')}
          />
          <div class="flex gap-3">
            <Submit tone="danger">{t('Eliminar', 'Erase')}</Submit>
            <a class="btn btn-ghost" href={path}>
              {t('Cancelar', 'Cancel')}
            </a>
          </div>
        </Form>
      </div>
    </Panel>
  )
}
