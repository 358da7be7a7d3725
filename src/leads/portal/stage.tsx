import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ownPath } from '../../portal/shell.tsx'
import { Form } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { LEAD_STATUSES } from '../rules.ts'
import { changeStage, type LeadRow } from '../service.ts'
import { FollowUp } from './follow-up.tsx'
import { type LeadPage, pathOf } from './lead-page.ts'
import { isStage, nameOf, stageWords } from './words.tsx'

export function registerStage(app: FastifyInstance, db: Db, { leadOf }: LeadPage): void {
  formRoute(app, {
    path: '/leads/:id/stage',
    read: leadOf,
    run: async (request, lead) => {
      const stage = request.form.get('stage') ?? ''
      if (!isStage(stage)) throw new Problem('bad_request')
      await changeStage(db, signedIn(request).id, lead.id, stage)
    },
    done: ({ form, visit }, reply, _, lead) =>
      goTo(reply, ownPath(form.get('back'), pathOf(lead)), visit.t('Etapa guardada.', 'Stage saved.')),
  })
}

export function StagePanel({ lead, now }: { lead: LeadRow; now: Date }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Etapa', 'Stage')}
      note={t('Avisamos del cambio a tus sistemas por webhook.', 'Your systems are notified by webhook.')}
    >
      <div class="flex flex-col gap-3 text-sm">
        <StageForm lead={lead} back={pathOf(lead)} wide />
        <FollowUp lead={lead} now={now} />
      </div>
    </Panel>
  )
}

/** Submits on change with a script; otherwise with the button. */
export function StageForm({ lead, back, wide = false }: { lead: LeadRow; back: string; wide?: boolean }) {
  const { t } = useVisit()
  const words = stageWords(t)
  return (
    <Form action={`/portal/leads/${lead.id}/stage`} class="flex gap-2">
      <input type="hidden" name="back" value={back} />
      <select
        name="stage"
        class={`select min-w-0 grow ${wide ? '' : 'select-xs'}`}
        aria-label={t(`Etapa de ${nameOf(lead, t)}`, `Stage of ${nameOf(lead, t)}`)}
        data-auto
      >
        {LEAD_STATUSES.map(stage => (
          <option key={stage} value={stage} selected={stage === lead.status}>
            {words[stage]}
          </option>
        ))}
      </select>
      <button type="submit" class={`btn ${wide ? '' : 'btn-xs'}`}>
        {t('Mover', 'Move')}
      </button>
    </Form>
  )
}
