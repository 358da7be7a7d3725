import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { readBody } from '../../lib/fields.ts'
import { parsePrice } from '../../lib/money.ts'
import { capital } from '../../lib/text.ts'
import { fromLocal, toLocal, ZONE } from '../../lib/time.ts'
import { zoneName, zoneOf } from '../../lib/zones.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField, TextField } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { detailFields } from '../details.ts'
import { INTERESTS, TOUR_STATUSES } from '../rules.ts'
import { changeDetails, type LeadRow } from '../service.ts'
import { type LeadPage, pathOf } from './lead-page.ts'
import { interestWords, tourWords } from './words.tsx'

export function registerDetails(app: FastifyInstance, db: Db, { leadOf, send }: LeadPage): void {
  formRoute(app, {
    path: '/leads/:id/details',
    read: leadOf,
    run: (request, lead) =>
      changeDetails(
        db,
        signedIn(request).id,
        lead.id,
        readBody(detailFields, detailsOf(request.form, zoneOf(lead.listing_whereabouts))),
      ),
    redraw: (request, reply, details, lead) => send(request, reply, lead, { details }),
    done: ({ visit }, reply, _, lead) => goTo(reply, pathOf(lead), visit.t('Guardado.', 'Saved.')),
  })
}

/** Parses form text for the fields; unparsable values stay text, so the field rejects them. */
function detailsOf(form: URLSearchParams, zone: string): Record<string, unknown> {
  const given = (name: string) => form.get(name)?.trim() || null
  const moment = (name: string, of: string) => {
    const text = given(name)
    return text === null ? null : (fromLocal(text, of) ?? text)
  }
  const amount = (name: string) => {
    const text = given(name)
    return text === null ? null : (parsePrice(text)?.amount ?? text)
  }
  return {
    interest: given('interest'),
    tour_status: given('tour_status'),
    budget_min: amount('budget_min'),
    budget_max: amount('budget_max'),
    follow_up_at: moment('follow_up_at', ZONE),
    tour_at: moment('tour_at', zone),
    showing_at: moment('showing_at', zone),
  }
}

const choices = <T extends string>(values: readonly T[], words: Record<T, string>) =>
  values.map(value => ({ value, label: words[value] }))

/** Form values of a lead. */
function detailValues(lead: LeadRow): Record<string, unknown> {
  const local = (at: Date | null) => at && toLocal(at, zoneOf(lead.listing_whereabouts))
  return {
    ...lead,
    follow_up_at: lead.follow_up_at && toLocal(lead.follow_up_at).slice(0, 10),
    tour_at: local(lead.tour_at),
    showing_at: local(lead.showing_at),
  }
}

export function Details({ lead, details }: { lead: LeadRow; details?: Rejected }) {
  const { t, lang } = useVisit()
  return (
    <Panel title={t('Seguimiento', 'Follow-up')}>
      <Form
        action={`${pathOf(lead)}/details`}
        class="flex flex-col gap-4"
        values={details?.values ?? detailValues(lead)}
        errors={details?.errors}
      >
        <TextField name="follow_up_at" type="date" label={t('Volver a contactar el', 'Contact again on')} />
        <SelectField
          name="interest"
          label={t('Quiere', 'Wants')}
          empty="—"
          options={choices(INTERESTS, interestWords(t))}
        />
        <div class="grid grid-cols-2 items-end gap-3">
          <TextField name="budget_min" label={t('Presupuesto desde', 'Budget from')} inputmode="decimal" />
          <TextField name="budget_max" label={t('Hasta', 'To')} inputmode="decimal" />
        </div>
        <TextField
          name="tour_at"
          type="datetime-local"
          label={t('Visita solicitada para', 'Requested showing')}
          hint={capital(`${zoneName(zoneOf(lead.listing_whereabouts), lang)}.`)}
        />
        <SelectField
          name="tour_status"
          label={t('Estatus de la visita', 'Showing status')}
          empty="—"
          options={choices(TOUR_STATUSES, tourWords(t))}
        />
        <TextField
          name="showing_at"
          type="datetime-local"
          label={t('Visita agendada', 'Scheduled showing')}
        />
        <div>
          <Submit>{t('Guardar', 'Save')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}
