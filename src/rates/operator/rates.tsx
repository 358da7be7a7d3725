import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown, TextField } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import type { Rate } from '../rules.ts'
import { listRates, setRate } from '../service.ts'

const HERE = '/portal/operator/rates'
const SHOWN = 60

export function registerRatesDesk(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get('/operator/rates', OPERATOR, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/operator/rates',
    access: 'operator',
    run: request => {
      const operator = signedIn(request)
      const value = (name: string) => request.form.get(name)?.trim() ?? ''
      const sent = { day: value('day'), mxn_per_usd: value('mxn_per_usd'), source: value('source') }
      return onRecord(
        db,
        operator,
        tx => setRate(tx, sent, now()),
        rate => ({
          action: 'rate.set',
          subject: `${rate.mxnPerUsd} MXN/USD, ${rate.day}`,
          note: rate.source,
        }),
      )
    },
    redraw: send,
    done: ({ visit }, reply) =>
      goTo(reply, HERE, visit.t('Tipo de cambio guardado.', 'Exchange rate saved.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const rates = await listRates(db, SHOWN)
    const today = now().toISOString().slice(0, 10)
    return sendDesk(request, reply, { tab: 'rates' }, <Rates rates={rates} today={today} {...shown} />)
  }
}

function Rates({ rates, today, ...shown }: Shown & { rates: Rate[]; today: string }) {
  const { t } = useVisit()
  const values = shown.values ?? new URLSearchParams({ day: today })
  return (
    <div class="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Panel
        title={t('Tipo de cambio', 'Exchange rate')}
        note={t(
          'Pesos por dólar. Las búsquedas que comparan precios en una sola moneda usan el más reciente.',
          'Pesos per dollar. Searches that compare prices in one currency use the latest.',
        )}
      >
        {rates.length === 0 ? (
          <Empty icon="chart" title={t('Aún no hay tipo de cambio', 'No exchange rate yet')} />
        ) : (
          <ul class="flex flex-col divide-y divide-base-300">
            {rates.map(rate => (
              <li key={rate.day} class="flex flex-wrap items-baseline justify-between gap-3 py-3">
                <span class="tabular-nums">{rate.day}</span>
                <span class="font-medium tabular-nums">{rate.mxnPerUsd}</span>
                <span class="min-w-0 text-sm break-words text-base-content/70">{rate.source}</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={t('Capturar', 'Enter a rate')} class="self-start">
        <Form action={HERE} {...shown} values={values}>
          <TextField name="day" type="date" label={t('Fecha', 'Date')} required />
          <TextField
            name="mxn_per_usd"
            label={t('Pesos por dólar', 'Pesos per dollar')}
            inputmode="decimal"
            placeholder="17.1234"
            required
          />
          <TextField
            name="source"
            label={t('Fuente', 'Source')}
            hint={t('Como «Banco de México, FIX».', 'Like “Banco de México, FIX”.')}
            maxlength={200}
            required
          />
          <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}
