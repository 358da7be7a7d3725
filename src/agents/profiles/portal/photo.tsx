import type { FastifyInstance, FastifyRequest } from 'fastify'
import { heicAdvice, isHeic, saveImage } from '../../../files/images.ts'
import { MB } from '../../../lib/sizes.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Face } from '../../../ui/face.tsx'
import { FileField, Form } from '../../../ui/forms.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { setPhoto } from '../service.ts'

const PHOTO_BYTES = 10 * MB
const FACE = { face: { maxSide: 480, square: true } }
const HERE = '/portal/profile'

/** On the page of the profile, in forms of their own. */
export function registerPhoto(app: FastifyInstance, { db, files }: PortalDeps): void {
  formRoute(app, {
    path: '/profile/photo',
    upload: { files: 1, fileBytes: PHOTO_BYTES },
    run: async request => {
      const bytes = request.uploads[0]?.bytes
      const saved = bytes && (await saveImage(files, 'media', bytes, FACE))
      if (saved) await replacePhoto(request, saved.face)
      return saved !== undefined
    },
    done: ({ uploads: [upload], visit: { t } }, reply, isSaved) => {
      if (isSaved) return goTo(reply, HERE, t('Foto guardada.', 'Photo saved.'))
      const text = t(
        'Eso no es una foto que podamos leer: usa JPEG, PNG o WebP.',
        'We cannot read that as a photo: use JPEG, PNG or WebP.',
      )
      return goTo(reply, HERE, {
        kind: 'error',
        text: upload && isHeic(upload.bytes) ? heicAdvice(t) : text,
      })
    },
  })

  formRoute(app, {
    path: '/profile/photo/remove',
    run: request => replacePhoto(request, null),
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Quitamos la foto.', 'Photo removed.')),
  })

  async function replacePhoto(request: FastifyRequest, name: string | null): Promise<void> {
    const before = await setPhoto(db, signedIn(request).id, name)
    if (before) await files.remove('media', before)
  }
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
  )
}
