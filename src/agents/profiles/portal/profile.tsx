import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Checkbox, Form, type Shown, TextArea, TextField } from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { agentUrl } from '../../record.ts'
import { findOwnProfile, LANGUAGES, updateProfile } from '../service.ts'
import { PhotoPanel } from './photo.tsx'
import { ProfileTabs } from './tabs.tsx'

const HERE = '/portal/profile'

export function registerProfile(app: FastifyInstance, { db, publicUrl }: PortalDeps): void {
  app.get('/profile', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/profile',
    run: request => {
      const { form } = request
      const text = (name: string) => form.get(name) ?? ''
      return updateProfile(db, signedIn(request).id, {
        name: text('name'),
        phone: text('phone'),
        bio: text('bio'),
        languages: form.getAll('languages'),
        isPublic: form.has('in_directory'),
        agencyWanted: text('agency_wanted'),
      })
    },
    redraw: send,
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Perfil guardado.', 'Profile saved.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const profile = await findOwnProfile(db, signedIn(request).id)
    const values = { ...profile, in_directory: profile.in_directory ? 'on' : undefined }
    return sendScreen(
      request,
      reply,
      {
        title: t('Perfil', 'Profile'),
        section: 'profile',
        subtitle: t('Lo que ven quienes visitan tu página.', 'What visitors to your page see.'),
        actions: (
          <a class="btn btn-sm" href={agentUrl(publicUrl, profile.slug)}>
            <Icon name="external" />
            {t('Ver mi página', 'View my page')}
          </a>
        ),
      },
      <ProfileScreen profile={profile} values={shown.values ?? values} errors={shown.errors ?? []} />,
    )
  }
}

type Profile = Awaited<ReturnType<typeof findOwnProfile>>

function ProfileScreen({ profile, values, errors }: { profile: Profile } & Required<Shown>) {
  return (
    <>
      <ProfileTabs here="profile" />
      <div class="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel>
          <ProfileForm profile={profile} values={values} errors={errors} />
        </Panel>
        <PhotoPanel profile={profile} />
      </div>
    </>
  )
}

function ProfileForm({ profile, values, errors }: { profile: Profile } & Required<Shown>) {
  const { t } = useVisit()
  return (
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
        hint={t('Tu experiencia, tus zonas, cómo trabajas.', 'Your experience, your areas, how you work.')}
        maxlength={2000}
      />
      <Languages />
      {profile.agency_id === null && (
        <TextField
          name="agency_wanted"
          label={t('Inmobiliaria en la que trabajas', 'Agency you work at')}
          hint={t('El operador la asigna después de comprobarlo.', 'The operator assigns it after checking.')}
          maxlength={120}
        />
      )}
      <Checkbox
        name="in_directory"
        label={t('Mostrarme en el directorio público de agentes', 'Show me in the public agent directory')}
      />
      <Submit class="self-start">{t('Guardar perfil', 'Save profile')}</Submit>
    </Form>
  )
}

function Languages() {
  const { t, lang } = useVisit()
  return (
    <fieldset class="flex flex-col gap-2">
      <legend class="mb-2 text-sm font-medium">{t('Idiomas que hablas', 'Languages you speak')}</legend>
      <div class="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {Object.entries(LANGUAGES).map(([code, names]) => (
          <Checkbox key={code} name="languages" of={code} label={names[lang]} />
        ))}
      </div>
    </fieldset>
  )
}
