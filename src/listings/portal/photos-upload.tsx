import type { FastifyInstance, FastifyRequest } from 'fastify'
import { heicAdvice } from '../../files/images.ts'
import type { Words } from '../../lib/i18n.ts'
import { MB } from '../../lib/sizes.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { FileField, Form } from '../../ui/forms.tsx'
import { allWords } from '../../ui/messages.ts'
import { Panel } from '../../ui/panels.tsx'
import { addPhotos, PHOTO_BYTES, PHOTOS_PER_FORM } from '../photos.ts'
import { ownListing } from './shared.tsx'
import { LINK_WORDING } from './wording.ts'

const MOST_MB = PHOTO_BYTES / MB

type Added = Awaited<ReturnType<typeof addPhotos>>

export function registerUpload(app: FastifyInstance, { db, uploads }: PortalDeps): void {
  formRoute(app, {
    path: '/listings/:id/photos',
    upload: { files: PHOTOS_PER_FORM, fileBytes: PHOTO_BYTES },
    read: request => ownListing(db, request),
    run: (request, listing) => addPhotos({ db, uploads }, signedIn(request).id, listing.id, request.uploads),
    redraw: (request, reply, { errors }, { id }) => {
      const text = allWords(errors, request.visit.lang, LINK_WORDING)
      if (isFromScript(request)) return reply.send({ added: 0, refused: [], heic: false, message: text })
      return goTo(reply, pathOf(id), { kind: 'error', text })
    },
    done: (request, reply, result, { id }) => {
      if (isFromScript(request)) {
        const { added, refused, heic } = result
        return reply.code(refused.length > 0 ? 422 : 200).send({ added, refused, heic })
      }
      return goTo(reply, pathOf(id), flashOf(result, request.visit.t))
    },
  })
}

const pathOf = (id: string) => `/portal/listings/${id}/photos`

/** The script uploads one at a time and asks for the plain result. */
const isFromScript = ({ headers }: FastifyRequest) => headers.accept === 'application/json'

function flashOf({ added, known, refused, heic }: Added, t: Words) {
  if (refused.length === 0) {
    const again = known > 0 ? t(` Ya estaban: ${known}.`, ` Already there: ${known}.`) : ''
    return t(`Fotos nuevas: ${added}.`, `New photos: ${added}.`) + again
  }
  const names = refused.map(name => `«${name.slice(0, 60)}»`).join(', ')
  const text = t(
    `No pudimos leer ${names}. Guárdalas como JPEG e inténtalo otra vez.`,
    `We could not read ${names}. Save them as JPEG and try again.`,
  )
  return { kind: 'warning' as const, text: heic ? `${text} ${heicAdvice(t)}` : text }
}

export function UploadPanel({ base }: { base: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Subir fotos', 'Upload photos')}>
      <Form action={base} upload id="upload" class="flex min-w-0 flex-col gap-4">
        <FileField
          name="photos"
          label={t('Tus fotos', 'Your photos')}
          // HEIC is left out on purpose: phones then convert their photos to JPEG.
          accept="image/jpeg,image/png,image/webp"
          multiple
          hint={
            <>
              {t(
                `JPEG, PNG o WebP de hasta ${MOST_MB} MB cada una. Quitamos la ubicación y los datos de la cámara.`,
                `JPEG, PNG or WebP, up to ${MOST_MB} MB each. We remove location and camera data.`,
              )}
              <noscript>
                {' '}
                {t(`Hasta ${PHOTOS_PER_FORM} a la vez.`, `Up to ${PHOTOS_PER_FORM} at a time.`)}
              </noscript>
            </>
          }
          required
        />
        <ul
          class="flex flex-col gap-2 empty:hidden"
          aria-live="polite"
          data-progress
          data-waiting={t('En espera', 'Waiting')}
          data-done={t('Lista', 'Done')}
          data-failed={t('No se pudo leer; guárdala como JPEG', 'Could not be read; save it as JPEG')}
          data-unsent={t('No se pudo enviar; inténtalo otra vez', 'Could not be sent; try again')}
          data-heic={heicAdvice(t)}
          data-large={t(`Pasa de ${MOST_MB} MB`, `Larger than ${MOST_MB} MB`)}
        />
        <div>
          <Submit>{t('Subir', 'Upload')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}
