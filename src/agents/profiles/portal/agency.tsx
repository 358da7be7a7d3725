import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { phoneText } from '../../../lib/phone.ts'
import { MB } from '../../../lib/sizes.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Face } from '../../../ui/face.tsx'
import { FileField, Form, type Shown, TextArea, TextField } from '../../../ui/forms.tsx'
import { allWords } from '../../../ui/messages.ts'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { findAgency, findOwnProfile, listColleagues, setAgencyLogo, updateAgencyPage } from '../service.ts'
import { ProfileTabs } from './tabs.tsx'

const HERE = '/portal/agency'

export function registerAgency(app: FastifyInstance, { db, uploads, publicUrl }: PortalDeps): void {
  app.get('/agency', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/agency',
    run: request => {
      const text = (name: string) => request.form.get(name) ?? ''
      return updateAgencyPage(db, signedIn(request).id, {
        phone: text('phone'),
        website: text('website'),
        about: text('about'),
      })
    },
    redraw: send,
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Página guardada.', 'Page saved.')),
  })

  formRoute(app, {
    path: '/agency/logo',
    upload: { files: 1, fileBytes: 10 * MB },
    run: async request => {
      const [upload] = request.uploads
      const deps = { db, uploads, publicUrl }
      return upload ? setAgencyLogo(deps, signedIn(request).id, upload.bytes) : false
    },
    redraw: ({ visit }, reply, { errors }) =>
      goTo(reply, HERE, { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ visit: { t } }, reply, isSaved) => {
      if (isSaved) return goTo(reply, HERE, t('Logotipo guardado.', 'Logo saved.'))
      const text = t('No pudimos leer la imagen.', 'We could not read the image.')
      return goTo(reply, HERE, { kind: 'error', text })
    },
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const profile = await findOwnProfile(db, signedIn(request).id)
    const agency = profile.agency_id ? await findAgency(db, profile.agency_id) : undefined
    const colleagues = agency ? await listColleagues(db, agency.id) : []
    return sendScreen(
      request,
      reply,
      { title: agency?.name ?? t('Inmobiliaria', 'Agency'), section: 'profile' },
      <AgencyPage
        agency={agency}
        isAdmin={profile.is_agency_admin}
        colleagues={colleagues}
        values={shown.values ?? agency ?? {}}
        errors={shown.errors ?? []}
      />,
    )
  }
}

interface AgencyProps extends Required<Shown> {
  agency: Awaited<ReturnType<typeof findAgency>>
  isAdmin: boolean
  colleagues: Awaited<ReturnType<typeof listColleagues>>
}

function AgencyPage({ agency, isAdmin, colleagues, values, errors }: AgencyProps) {
  const { t } = useVisit()
  if (!agency) {
    return (
      <>
        <ProfileTabs here="agency" />
        <Panel>
          <Empty icon="building" title={t('Trabajas por tu cuenta', 'You work on your own')}>
            {t(
              'Si trabajas en una inmobiliaria, agrégala a tu perfil y el operador la asignará.',
              'If you work at an agency, add it to your profile and the operator will assign it.',
            )}
          </Empty>
        </Panel>
      </>
    )
  }
  return (
    <>
      <ProfileTabs here="agency" />
      <div class="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel
          title={t('Página de la inmobiliaria', 'Agency page')}
          note={
            isAdmin
              ? undefined
              : t('La edita quien administra la inmobiliaria.', 'Edited by the agency’s manager.')
          }
        >
          {isAdmin ? (
            <AgencyForms values={values} errors={errors} />
          ) : (
            <div class="flex flex-col gap-2 break-words">
              <p>{agency.about ?? t('Sin presentación todavía.', 'No description yet.')}</p>
              <p class="text-base-content/70">
                {[agency.phone && phoneText(agency.phone), agency.website].filter(Boolean).join(' · ')}
              </p>
            </div>
          )}
        </Panel>
        <Colleagues colleagues={colleagues} />
      </div>
    </>
  )
}

function AgencyForms({ values, errors }: Required<Shown>) {
  const { t } = useVisit()
  return (
    <div class="flex flex-col gap-8">
      <Form action="/portal/agency" values={values} errors={errors}>
        <TextField name="phone" type="tel" label={t('Teléfono', 'Phone')} />
        <TextField name="website" type="url" label={t('Sitio web', 'Website')} placeholder="https://" />
        <TextArea name="about" label={t('Presentación', 'About')} maxlength={3000} />
        <Submit class="self-start">{t('Guardar página', 'Save page')}</Submit>
      </Form>
      <Form action="/portal/agency/logo" upload>
        <FileField
          name="logo"
          label={t('Logotipo', 'Logo')}
          accept="image/jpeg,image/png,image/webp"
          required
        />
        <Submit tone="plain" class="self-start">
          {t('Subir logotipo', 'Upload logo')}
        </Submit>
      </Form>
    </div>
  )
}

function Colleagues({ colleagues }: Pick<AgencyProps, 'colleagues'>) {
  const { t } = useVisit()
  return (
    <Panel title={t('Agentes', 'Agents')} class="self-start">
      <ul class="flex flex-col gap-4">
        {colleagues.map(person => (
          <li key={person.id} class="flex items-center gap-3">
            <Face name={person.name} photo={person.photo} />
            <div class="min-w-0 text-sm">
              <p class="truncate font-medium">{person.name}</p>
              {person.is_agency_admin && <Badge tone="primary">{t('Administra', 'Manages')}</Badge>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
