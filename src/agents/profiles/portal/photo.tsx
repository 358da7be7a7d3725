import type { FastifyInstance } from 'fastify'
import { heicAdvice, isHeic } from '../../../files/images.ts'
import { MB } from '../../../lib/sizes.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Face } from '../../../ui/face.tsx'
import { FileField, Form } from '../../../ui/forms.tsx'
import { allWords } from '../../../ui/messages.ts'
import { Panel } from '../../../ui/panels.tsx'
import { removePhoto, setPhoto } from '../service.ts'

const PHOTO_BYTES = 10 * MB
const HERE = '/portal/profile'

/** Shown on the profile page, as separate forms. */
export function registerPhoto(app: FastifyInstance, { db, uploads }: PortalDeps): void {
  formRoute(app, {
    path: '/profile/photo',
    upload: { files: 1, fileBytes: PHOTO_BYTES },
    run: async request => {
      const [upload] = request.uploads
      return upload ? setPhoto({ db, uploads }, signedIn(request).id, upload.bytes) : false
    },
    redraw: ({ visit }, reply, { errors }) =>
      goTo(reply, HERE, { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ uploads: [upload], visit: { t } }, reply, isSaved) => {
      if (isSaved) return goTo(reply, HERE, t('Foto guardada.', 'Photo saved.'))
      const text = t(
        'No pudimos leer la foto: usa JPEG, PNG o WebP.',
        'We could not read the photo: use JPEG, PNG or WebP.',
      )
      return goTo(reply, HERE, {
        kind: 'error',
        text: upload && isHeic(upload.bytes) ? heicAdvice(t) : text,
      })
    },
  })

  formRoute(app, {
    path: '/profile/photo/remove',
    run: request => removePhoto({ db, uploads }, signedIn(request).id),
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Quitamos la foto.', 'Photo removed.')),
  })
}

export function PhotoPanel({ profile }: { profile: { name: string; photo: string | null } }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Foto', 'Photo')} class="self-start">
      <div class="flex flex-col gap-5">
        <Face name={profile.name} photo={profile.photo} large />
        <Form action="/portal/profile/photo" upload>
          <FileField
            name="photo"
            label={t('Elige una foto', 'Choose a photo')}
            hint={t(
              `Se muestra en tu página y en el directorio. JPEG, PNG o WebP de hasta ${PHOTO_BYTES / MB} MB.`,
              `Shown on your page and in the directory. JPEG, PNG or WebP up to ${PHOTO_BYTES / MB} MB.`,
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
  )
}
