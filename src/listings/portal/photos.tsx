import { heicAdvice } from '../../files/images.ts'
import type { Issue } from '../../lib/issue.ts'
import { MB } from '../../lib/sizes.ts'
import { LIMITS } from '../../lookups/catalogue.ts'
import { useVisit } from '../../portal/context.ts'
import { Submit } from '../../ui/buttons.tsx'
import { FileField, Form, TextArea, type Values } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import type { Image } from '../images.ts'
import { ALT_MAX, PHOTO_BYTES, PHOTOS_PER_FORM } from '../photos.ts'
import { LINK_WORDING } from './wording.ts'

const MOST_MB = PHOTO_BYTES / MB

interface PhotosProps {
  id: string
  images: Image[]
  links?: Values
  errors?: readonly Issue[] | undefined
}

export function ListingPhotos({ id, images, links, errors }: PhotosProps) {
  const { t } = useVisit()
  const base = `/portal/listings/${id}/photos`
  return (
    <div class="flex min-w-0 flex-col gap-6">
      <div class="grid min-w-0 gap-6 lg:grid-cols-2">
        <Panel title={t('Subir fotos', 'Upload photos')}>
          <Form action={base} upload id="upload" class="flex min-w-0 flex-col gap-4">
            <FileField
              name="photos"
              label={t('Tus fotos', 'Your photos')}
              // Not HEIC, on purpose: a phone that is asked for these turns its own pictures into JPEG.
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
              data-heic={heicAdvice(t)}
              data-large={t(`Pasa de ${MOST_MB} MB`, `Larger than ${MOST_MB} MB`)}
            />
            <div>
              <Submit>{t('Subir', 'Upload')}</Submit>
            </div>
          </Form>
        </Panel>
        <Panel title={t('Enlazar fotos', 'Link photos')}>
          <Form
            action={`${base}/links`}
            class="flex min-w-0 flex-col gap-4"
            {...(links ? { values: links } : {})}
            errors={errors}
            wording={LINK_WORDING}
          >
            <TextArea
              name="urls"
              label={t('Direcciones públicas, una por renglón', 'Public addresses, one per line')}
              rows={3}
              hint={t(
                `Se muestran desde donde están. Hasta ${LIMITS.images_per_call} a la vez.`,
                `Shown from where they are. Up to ${LIMITS.images_per_call} at a time.`,
              )}
              required
            />
            <div>
              <Submit tone="plain">{t('Enlazar', 'Link')}</Submit>
            </div>
          </Form>
        </Panel>
      </div>
      {images.length === 0 ? (
        <Panel>
          <Empty icon="photo" title={t('Todavía no hay fotos', 'No photos yet')}>
            {t(
              'Los anuncios con al menos cinco fotos reciben muchas más preguntas.',
              'Listings with at least five photos get many more questions.',
            )}
          </Empty>
        </Panel>
      ) : (
        <Arrange base={base} images={images} />
      )}
    </div>
  )
}

function Arrange({ base, images }: { base: string; images: Image[] }) {
  const { t } = useVisit()
  const last = images.length - 1
  return (
    <Panel
      title={t('Orden y textos', 'Order and texts')}
      note={t(
        'La primera es la portada. El texto lo leen quienes no ven la foto.',
        'The first is the cover. The text is read by those who cannot see the photo.',
      )}
    >
      <Form action={`${base}/arrange`} class="flex min-w-0 flex-col gap-5" id="arrange">
        {/* Enter in a text field presses the first button of a form: it shall only save. */}
        <button type="submit" class="sr-only" tabIndex={-1}>
          {t('Guardar', 'Save')}
        </button>
        <ol class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" data-sortable>
          {images.map((image, i) => (
            <li
              key={image.id}
              class="group flex min-w-0 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 first:border-primary"
            >
              <input type="hidden" name="photo" value={image.id} />
              <div class="relative">
                <img
                  src={image.thumb}
                  alt={image.alt ?? t(`Foto ${i + 1}`, `Photo ${i + 1}`)}
                  loading="lazy"
                  referrerpolicy="no-referrer"
                  class="aspect-[3/2] w-full bg-base-200 object-cover"
                />
                <span class="absolute top-2 left-2 hidden badge badge-primary group-first:inline-flex">
                  {t('Portada', 'Cover')}
                </span>
                <button
                  type="button"
                  hidden
                  data-handle
                  class="absolute top-2 right-2 btn btn-square cursor-grab touch-none btn-sm"
                  aria-label={t('Arrastrar para ordenar', 'Drag to reorder')}
                  tabIndex={-1}
                >
                  <Icon name="menu" />
                </button>
              </div>
              <div class="flex flex-col gap-3 p-3">
                <input
                  type="text"
                  class="input input-sm w-full"
                  name={`alt-${image.id}`}
                  value={image.alt ?? ''}
                  maxlength={ALT_MAX}
                  aria-label={t(`Texto de la foto ${i + 1}`, `Text of photo ${i + 1}`)}
                  placeholder={t(
                    'Qué se ve, como «Cocina con isla»',
                    'What is seen, like “Kitchen with island”',
                  )}
                />
                <div class="flex flex-wrap gap-1">
                  <Step
                    name="move"
                    value={`${image.id} up`}
                    label={t('Antes', 'Earlier')}
                    disabled={i === 0}
                  />
                  <Step
                    name="move"
                    value={`${image.id} down`}
                    label={t('Después', 'Later')}
                    disabled={i === last}
                  />
                  <Step name="cover" value={image.id} label={t('Portada', 'Cover')} disabled={i === 0} />
                  <Step name="remove" value={image.id} label={t('Quitar', 'Remove')} danger />
                </div>
              </div>
            </li>
          ))}
        </ol>
        <div>
          <Submit>{t('Guardar orden y textos', 'Save order and texts')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}

function Step(props: { name: string; value: string; label: string; disabled?: boolean; danger?: boolean }) {
  const { name, value, label, disabled, danger } = props
  return (
    <button
      type="submit"
      name={name}
      value={value}
      disabled={disabled}
      class={`btn btn-xs ${danger ? 'btn-error btn-outline' : ''}`}
    >
      {label}
    </button>
  )
}
