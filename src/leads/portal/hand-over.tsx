import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField } from '../../ui/forms.tsx'
import { allWords } from '../../ui/messages.ts'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { type Colleague, type findHandover, handOver } from '../handover.ts'
import type { LeadRow } from '../service.ts'
import { type LeadPage, pathOf } from './lead-page.ts'

export function registerHandOver(app: FastifyInstance, db: Db, { leadOf }: LeadPage): void {
  formRoute(app, {
    path: '/leads/:id/hand-over',
    read: leadOf,
    run: (request, lead) => handOver(db, signedIn(request).id, lead.id, request.form.get('to') ?? ''),
    redraw: ({ visit }, reply, { errors }, lead) =>
      goTo(reply, pathOf(lead), { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ visit: { t } }, reply) =>
      goTo(reply, '/portal/leads', t('Prospecto entregado a tu colega.', 'Lead handed to your colleague.')),
  })
}

export interface HandOverProps {
  lead: LeadRow
  heirs: Colleague[]
  handover: Awaited<ReturnType<typeof findHandover>>
}

export function HandOverPanel({ lead, heirs, handover }: HandOverProps) {
  const { t } = useVisit()
  if (heirs.length === 0 && !handover) return null
  return (
    <Panel title={t('Equipo', 'Team')}>
      {handover && (
        <p class="mb-4 text-sm text-base-content/75">
          {t(`Te lo entregó ${handover.from_name} el`, `Handed to you by ${handover.from_name} on`)}{' '}
          <Time at={handover.at} day />
        </p>
      )}
      {heirs.length > 0 && !lead.erased_at && (
        <Form action={`${pathOf(lead)}/hand-over`} class="flex flex-col gap-3">
          <HeirField heirs={heirs} />
          <p class="text-sm text-base-content/75">
            {t(
              'Tu colega recibe el prospecto con tus notas y tareas; tú dejas de verlo. A la persona le avisamos quién la atiende.',
              'Your colleague gets the lead with your notes and tasks; you no longer see it. We tell the person who will answer.',
            )}
          </p>
          <Submit tone="plain" class="self-start">
            {t('Entregar prospecto', 'Hand over lead')}
          </Submit>
        </Form>
      )}
    </Panel>
  )
}

export function HeirField({ heirs }: { heirs: Colleague[] }) {
  const { t } = useVisit()
  const options = heirs.map(({ id, name }) => ({ value: id, label: name }))
  return <SelectField name="to" label={t('Entregar a', 'Hand over to')} options={options} required />
}
