import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { numberText, type Words } from '../../lib/i18n.ts'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown, TextField } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { type ChosenLimits, LIMITS, type LimitName, type Limits, limitNames, readLimits } from '../rules.ts'
import { changeLimits, findSettings, type LiveSettings, listChanges } from '../service.ts'
import { Changes } from './changes.tsx'

const HERE = '/portal/operator/limits'
const SHOWN = 20

export interface SettingsDeps extends PortalDeps {
  settings: LiveSettings
}

export function registerLimitsDesk(app: FastifyInstance, { db, settings }: SettingsDeps): void {
  app.get('/operator/limits', OPERATOR, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/operator/limits',
    access: 'operator',
    run: async request => {
      const operator = signedIn(request)
      const chosen = readLimits(request.form)
      const changes = await onRecord(
        db,
        operator,
        tx => changeLimits(tx, operator.id, chosen),
        made =>
          made.length === 0
            ? undefined
            : {
                action: 'limits.change',
                subject: made.map(({ name }) => name).join(', '),
                note: made.map(one => `${one.name}: ${textOf(one.before)} → ${textOf(one.after)}`).join('; '),
              },
      )
      await settings.refresh()
      return changes
    },
    redraw: send,
    done: ({ visit: { t } }, reply, changes) =>
      goTo(
        reply,
        HERE,
        changes.length > 0
          ? t('Límites guardados.', 'Limits saved.')
          : { kind: 'info', text: t('No cambió nada.', 'Nothing changed.') },
      ),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const [{ limits }, changes] = await Promise.all([findSettings(db), listChanges(db, limitNames, SHOWN)])
    const { lang, t } = request.visit
    return sendDesk(
      request,
      reply,
      { tab: 'limits' },
      <div class="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <LimitsForm chosen={limits} defaults={settings.defaults} {...shown} />
        <Changes
          changes={changes.map(change => ({
            ...change,
            title: namesIn(t)[change.name as LimitName],
            text:
              change.value === null
                ? t('Predeterminado', 'Default')
                : numberText(change.value as number, lang),
          }))}
        />
      </div>,
    )
  }
}

/** As in the audit log. */
const textOf = (value: number | null) => value ?? 'default'

const namesIn = (t: Words): Record<LimitName, string> => ({
  rate_limit: t('Solicitudes a la API por llave, en 10 minutos', 'API requests per key, in 10 minutes'),
  forms_per_address: t(
    'Formularios de visitantes por dirección IP, en 10 minutos',
    'Visitors’ forms per IP address, in 10 minutes',
  ),
  upload_files: t('Archivos por cuenta', 'Files per account'),
  upload_mb: t('Megabytes por cuenta', 'Megabytes per account'),
  upload_unverified_mb: t(
    'Megabytes de todas las cuentas sin verificar',
    'Megabytes of all unverified accounts together',
  ),
})

function LimitsForm({ chosen, defaults, ...shown }: Shown & { chosen: ChosenLimits; defaults: Limits }) {
  const { t, lang } = useVisit()
  const names = namesIn(t)
  const number = (value: number) => numberText(value, lang)
  const current = Object.fromEntries(
    limitNames.map(name => [name, chosen[name] === null ? '' : number(chosen[name])]),
  )
  return (
    <Panel
      title={t('Límites', 'Limits')}
      note={t(
        'Valen en todos los procesos en segundos, sin reiniciar. Un campo vacío vuelve al valor predeterminado.',
        'They apply in every process within seconds, without a restart. An empty field restores the default.',
      )}
    >
      <Form action={HERE} {...shown} values={shown.values ?? current}>
        {limitNames.map(name => (
          <TextField
            key={name}
            name={name}
            label={names[name]}
            inputmode="numeric"
            placeholder={number(defaults[name])}
            hint={t(
              `Predeterminado: ${number(defaults[name])}. Entre ${number(LIMITS[name].min)} y ${number(LIMITS[name].max)}.`,
              `Default: ${number(defaults[name])}. Between ${number(LIMITS[name].min)} and ${number(LIMITS[name].max)}.`,
            )}
          />
        ))}
        <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
      </Form>
    </Panel>
  )
}
