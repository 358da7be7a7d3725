import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { heicAdvice, isHeic, saveImage } from '../../../files/images.ts'
import { mediaPath } from '../../../files/routes.ts'
import { MB } from '../../../lib/sizes.ts'
import { useVisit } from '../../../portal/context.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Face } from '../../../ui/face.tsx'
import {
  Checkbox,
  FileField,
  Form,
  type Shown,
  TextArea,
  TextField,
  type Values,
} from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { attempt } from '../../../ui/messages.ts'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { TabLinks } from '../../../ui/tabs.tsx'
import { agentUrl } from '../../record.ts'
import {
  findAgency,
  findOwnProfile,
  LANGUAGES,
  listColleagues,
  setAgencyLogo,
  setPhoto,
  updateAgencyPage,
  updateProfile,
} from '../service.ts'

const PHOTO_BYTES = 10 * MB
const PHOTO = { upload: { files: 1, fileBytes: PHOTO_BYTES } }
const FACE = { face: { maxSide: 480, square: true } }

export function registerProfile(app: FastifyInstance, { db, files, publicUrl }: PortalDeps): void {
  app.get('/profile', async (request, reply) => sendProfile(request, reply))

  app.post('/profile', async (request, reply) => {
    const { form, visit } = request
    const text = (name: string) => form.get(name) ?? ''
    const done = await attempt(() =>
      updateProfile(db, signedIn(request).id, {
        name: text('name'),
        phone: text('phone'),
        bio: text('bio'),
        languages: form.getAll('languages'),
        isPublic: form.has('in_directory'),
        agencyWanted: text('agency_wanted'),
      }),
    )
    if (done.errors) {
      reply.code(422)
      return sendProfile(request, reply, { values: form, errors: done.errors })
    }
    return goTo(reply, '/portal/profile', visit.t('Perfil guardado.', 'Profile saved.'))
  })

  app.post('/profile/photo', { config: PHOTO }, async (request, reply) => {
    const { t } = request.visit
    const bytes = request.uploads[0]?.bytes
    const saved = bytes && (await saveImage(files, 'media', bytes, FACE))
    if (!saved) {
      const text = t(
        'Eso no es una foto que podamos leer: usa JPEG, PNG o WebP.',
        'We cannot read that as a photo: use JPEG, PNG or WebP.',
      )
      return goTo(reply, '/portal/profile', {
        kind: 'error',
        text: bytes && isHeic(bytes) ? heicAdvice(t) : text,
      })
    }
    const before = await setPhoto(db, signedIn(request).id, saved.face)
    if (before) await files.remove('media', before)
    return goTo(reply, '/portal/profile', t('Foto guardada.', 'Photo saved.'))
  })

  app.post('/profile/photo/remove', async (request, reply) => {
    const before = await setPhoto(db, signedIn(request).id, null)
    if (before) await files.remove('media', before)
    return goTo(reply, '/portal/profile', request.visit.t('Quitamos la foto.', 'Photo removed.'))
  })

  app.get('/agency', async (request, reply) => sendAgency(request, reply))

  app.post('/agency', async (request, reply) => {
    const { form, visit } = request
    const text = (name: string) => form.get(name) ?? ''
    const done = await attempt(() =>
      updateAgencyPage(db, signedIn(request).id, {
        phone: text('phone'),
        website: text('website'),
        about: text('about'),
      }),
    )
    if (done.errors) {
      reply.code(422)
      return sendAgency(request, reply, { values: form, errors: done.errors })
    }
    return goTo(reply, '/portal/agency', visit.t('Página guardada.', 'Page saved.'))
  })

  app.post('/agency/logo', { config: PHOTO }, async (request, reply) => {
    const { t } = request.visit
    const bytes = request.uploads[0]?.bytes
    const saved = bytes && (await saveImage(files, 'media', bytes, { logo: { maxSide: 480 } }))
    if (!saved) {
      const text = t('Eso no es una imagen que podamos leer.', 'We cannot read that as a picture.')
      return goTo(reply, '/portal/agency', { kind: 'error', text })
    }
    await setAgencyLogo(db, signedIn(request).id, `${publicUrl}${mediaPath(saved.logo)}`)
    return goTo(reply, '/portal/agency', t('Logotipo guardado.', 'Logo saved.'))
  })

  async function sendProfile(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const profile = await findOwnProfile(db, signedIn(request).id)
    const values = { ...profile, in_directory: profile.in_directory ? 'on' : undefined }
    return sendScreen(
      request,
      reply,
      {
        title: t('Perfil', 'Profile'),
        section: 'profile',
        subtitle: t('Lo que ven quienes visitan tu página.', 'What visitors of your page see.'),
        actions: (
          <a class="btn btn-sm" href={agentUrl(publicUrl, profile.slug)}>
            <Icon name="external" />
            {t('Ver mi página', 'See my page')}
          </a>
        ),
      },
      <ProfileForm profile={profile} values={shown.values ?? values} errors={shown.errors ?? []} />,
    )
  }

  async function sendAgency(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
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

export function ProfileTabs({ here }: { here: 'profile' | 'agency' | 'licence' }) {
  const { t } = useVisit()
  return (
    <TabLinks
      label={t('Perfil', 'Profile')}
      tabs={[
        { href: '/portal/profile', label: t('Mi perfil', 'My profile'), here: here === 'profile' },
        { href: '/portal/agency', label: t('Inmobiliaria', 'Agency'), here: here === 'agency' },
        { href: '/portal/licence', label: t('Licencia', 'Licence'), here: here === 'licence' },
      ]}
    />
  )
}

type Profile = Awaited<ReturnType<typeof findOwnProfile>>

function ProfileForm({
  profile,
  values,
  errors,
}: {
  profile: Profile
  values: Values
  errors: readonly string[]
}) {
  const { t, lang } = useVisit()
  return (
    <>
      <ProfileTabs here="profile" />
      <div class="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel>
          <Form action="/portal/profile" values={values} errors={errors}>
            <TextField
              name="name"
              label={t('Nombre público', 'Public name')}
              maxlength={120}
              autocomplete="name"
              required
            />
            <TextField name="phone" type="tel" label={t('Teléfono', 'Phone')} autocomplete="tel" required />
            <TextArea
              name="bio"
              label={t('Sobre ti', 'About you')}
              hint={t(
                'Tu experiencia, tus zonas, cómo trabajas.',
                'Your experience, your areas, how you work.',
              )}
              maxlength={2000}
            />
            <fieldset class="flex flex-col gap-2">
              <legend class="mb-2 text-sm font-medium">
                {t('Idiomas que hablas', 'Languages you speak')}
              </legend>
              <div class="grid grid-cols-2 gap-2 sm:grid-cols-3">
                {Object.entries(LANGUAGES).map(([code, names]) => (
                  <Checkbox key={code} name="languages" of={code} label={names[lang]} />
                ))}
              </div>
            </fieldset>
            {profile.agency_id === null && (
              <TextField
                name="agency_wanted"
                label={t('Inmobiliaria en la que trabajas', 'Agency you work at')}
                hint={t(
                  'El operador la asigna después de comprobarlo.',
                  'The operator assigns it after checking.',
                )}
                maxlength={120}
              />
            )}
            <Checkbox
              name="in_directory"
              label={t(
                'Mostrarme en el directorio público de agentes',
                'Show me in the public directory of agents',
              )}
            />
            <Submit class="self-start">{t('Guardar perfil', 'Save profile')}</Submit>
          </Form>
        </Panel>
        <Panel title={t('Foto', 'Photo')} class="self-start">
          <div class="flex flex-col gap-5">
            <Face name={profile.name} photo={profile.photo} large />
            <Form action="/portal/profile/photo" upload>
              <FileField
                name="photo"
                label={t('Elige una foto', 'Choose a photo')}
                hint={t(
                  `JPEG, PNG o WebP de hasta ${PHOTO_BYTES / MB} MB.`,
                  `JPEG, PNG or WebP up to ${PHOTO_BYTES / MB} MB.`,
                )}
                accept="image/jpeg,image/png,image/webp"
                required
              />
              <Submit tone="plain" class="self-start">
                {t('Subir foto', 'Upload photo')}
              </Submit>
            </Form>
            {profile.photo && (
              <ActionButton action="/portal/profile/photo/remove" tone="quiet">
                {t('Quitar foto', 'Remove photo')}
              </ActionButton>
            )}
          </div>
        </Panel>
      </div>
    </>
  )
}

function AgencyPage(props: {
  agency: Awaited<ReturnType<typeof findAgency>>
  isAdmin: boolean
  colleagues: Awaited<ReturnType<typeof listColleagues>>
  values: Values
  errors: readonly string[]
}) {
  const { t } = useVisit()
  const { agency, isAdmin, colleagues, values, errors } = props
  if (!agency) {
    return (
      <>
        <ProfileTabs here="agency" />
        <Panel>
          <Empty icon="building" title={t('Trabajas por tu cuenta', 'You work on your own')}>
            {t(
              'Si perteneces a una inmobiliaria, escríbela en tu perfil y el operador la asignará.',
              'If you belong to an agency, write it in your profile and the operator will assign it.',
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
          note={isAdmin ? undefined : t('La edita quien la administra.', 'Edited by whoever looks after it.')}
        >
          {isAdmin ? (
            <div class="flex flex-col gap-8">
              <Form action="/portal/agency" values={values} errors={errors}>
                <TextField name="phone" type="tel" label={t('Teléfono', 'Phone')} />
                <TextField
                  name="website"
                  type="url"
                  label={t('Sitio web', 'Website')}
                  placeholder="https://"
                />
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
          ) : (
            <div class="flex flex-col gap-2 break-words">
              <p>{agency.about ?? t('Sin presentación todavía.', 'No presentation yet.')}</p>
              <p class="text-base-content/70">{[agency.phone, agency.website].filter(Boolean).join(' · ')}</p>
            </div>
          )}
        </Panel>
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
      </div>
    </>
  )
}
