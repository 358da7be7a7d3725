import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MB } from '../../../lib/sizes.ts'
import { STATES } from '../../../lookups/states.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Choices, FileField, Form, SelectField, type Shown, TextField } from '../../../ui/forms.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import { ProfileTabs } from '../../profiles/portal/tabs.tsx'
import { findProfile } from '../../service.ts'
import { latestLicenseRequest, requestVerification } from '../service.ts'
import { LicenseBadge } from './badge.tsx'

const DOCUMENT_BYTES = 10 * MB

export function registerLicense(app: FastifyInstance, { db, uploads }: PortalDeps): void {
  app.get('/licence', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/licence',
    upload: { files: 1, fileBytes: DOCUMENT_BYTES },
    run: async request => {
      const text = (name: string) => request.form.get(name) ?? ''
      const claim = {
        kind: text('kind'),
        state: text('state'),
        authority: text('authority'),
        number: text('number'),
      }
      const document = request.uploads[0]
      await requestVerification({ db, uploads }, signedIn(request).id, { ...claim, document })
    },
    redraw: send,
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        '/portal/licence',
        t(
          'Recibimos tu solicitud. Te avisaremos por correo.',
          'We received your request and will notify you by email.',
        ),
      ),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const agent = signedIn(request)
    const [latest, profile] = await Promise.all([
      latestLicenseRequest(db, agent.id),
      findProfile(db, agent.id),
    ])
    return sendScreen(
      request,
      reply,
      { title: t('Mi licencia', 'My license'), section: 'profile' },
      <>
        <ProfileTabs here="licence" />
        <License latest={latest} profile={profile} {...shown} />
      </>,
    )
  }
}

type Latest = Awaited<ReturnType<typeof latestLicenseRequest>>
type Profile = Awaited<ReturnType<typeof findProfile>>

interface LicenseFormProps extends Shown {
  profile: Profile
}

function License({ latest, profile, ...shown }: LicenseFormProps & { latest: Latest }) {
  const { t, agent } = useVisit()
  if (latest?.status === 'pending') return <Pending latest={latest} />
  return (
    <div class="grid max-w-2xl gap-6">
      {agent?.isVerified && (
        <Panel title={t('Verificada', 'Verified')}>
          <p>
            {profile.license_number ?? t('Sin número', 'No number')} · {profile.license_state ?? '—'}
          </p>
        </Panel>
      )}
      {latest?.status === 'refused' && (
        <div class="alert border border-error/50 bg-error/10">
          <div class="min-w-0">
            <p class="font-semibold">{t('No pudimos verificarla', 'We could not verify it')}</p>
            <p class="break-words">{latest.reason}</p>
          </div>
        </div>
      )}
      <Panel
        title={
          agent?.isVerified
            ? t('Enviar otra licencia', 'Submit another license')
            : t('Verifica tu licencia', 'Verify your license')
        }
        note={t(
          'Nuestro equipo la revisa. Mientras tanto puedes preparar borradores.',
          'Our team reviews it. In the meantime you can prepare drafts.',
        )}
      >
        <LicenseForm profile={profile} {...shown} />
      </Panel>
    </div>
  )
}

function LicenseForm({ profile, values, errors }: LicenseFormProps) {
  const { t } = useVisit()
  return (
    <Form
      action="/portal/licence"
      values={values ?? { state: profile.license_state, number: profile.license_number }}
      errors={errors}
      upload
    >
      <Choices
        name="kind"
        label={t('Tipo de acreditación', 'Kind of license')}
        options={[
          {
            value: 'state',
            label: t('Licencia o registro estatal', 'State license or registration'),
            hint: t('La que emite la autoridad de tu estado.', 'Issued by the authority of your state.'),
          },
          { value: 'ampi', label: 'AMPI', hint: t('Membresía vigente.', 'Current membership.') },
          {
            value: 'conocer',
            label: 'CONOCER',
            hint: t('Certificado en un estándar inmobiliario.', 'Certificate in a real estate standard.'),
          },
        ]}
      />
      <SelectField
        name="state"
        label={t('Estado que la emitió o donde trabajas', 'State that issued it or where you work')}
        empty={t('Elige un estado', 'Choose a state')}
        options={STATES.map(({ name }) => ({ value: name, label: name }))}
        required
      />
      <TextField
        name="authority"
        label={t('Autoridad', 'Authority')}
        hint={t(
          'Solo para licencias estatales. Por ejemplo: Secretaría de Desarrollo Económico.',
          'For state licenses only. For example: Secretaría de Desarrollo Económico.',
        )}
        maxlength={120}
      />
      <TextField
        name="number"
        label={t('Número de licencia, membresía o certificado', 'License, membership or certificate number')}
        maxlength={120}
        required
      />
      <FileField
        name="document"
        label={t('Documento', 'Document')}
        hint={t(
          `PDF, JPEG o PNG de hasta ${DOCUMENT_BYTES / MB} MB. Solo lo ve el operador.`,
          `PDF, JPEG or PNG up to ${DOCUMENT_BYTES / MB} MB. Only the operator sees it.`,
        )}
        accept="application/pdf,image/jpeg,image/png"
        required
      />
      <Submit class="self-start">{t('Enviar a verificación', 'Submit for verification')}</Submit>
    </Form>
  )
}

function Pending({ latest }: { latest: NonNullable<Latest> }) {
  const { t } = useVisit()
  return (
    <Panel
      class="max-w-2xl"
      title={t('En revisión', 'Under review')}
      actions={<LicenseBadge status="pending" />}
    >
      <dl class="grid gap-3 text-sm sm:grid-cols-[10rem_1fr]">
        <dt class="text-base-content/70">{t('Estado', 'State')}</dt>
        <dd>{latest.state}</dd>
        <dt class="text-base-content/70">{t('Autoridad', 'Authority')}</dt>
        <dd class="break-words">{latest.authority}</dd>
        <dt class="text-base-content/70">{t('Número', 'Number')}</dt>
        <dd class="break-words">{latest.number}</dd>
        <dt class="text-base-content/70">{t('Enviada', 'Sent')}</dt>
        <dd>
          <Time at={latest.created_at} />
        </dd>
      </dl>
      <p class="mt-5 text-sm text-base-content/70">
        {t('Te escribiremos en cuanto la revisemos.', 'We will email you as soon as we have reviewed it.')}
      </p>
    </Panel>
  )
}
