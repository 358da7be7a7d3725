import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import type { Image } from '../images.ts'
import { ALT_MAX, arrangePhotos } from '../photos.ts'
import { ownListing } from './shared.tsx'

export function registerArrange(app: FastifyInstance, { db, files }: PortalDeps): void {
  formRoute(app, {
    path: '/listings/:id/photos/arrange',
    bodyLimit: LONG_FORM_BYTES,
    read: request => ownListing(db, request),
    run: (request, listing) => {
      const { form } = request
      return arrangePhotos({ db, files }, signedIn(request).id, listing.id, {
        order: orderOf(form),
        remove: form.getAll('remove'),
        alts: new Map(
          [...form].filter(([name]) => name.startsWith('alt-')).map(([name, text]) => [name.slice(4), text]),
        ),
      })
    },
    done: ({ visit }, reply, _, { id }) =>
      goTo(reply, `/portal/listings/${id}/photos#arrange`, visit.t('Fotos guardadas.', 'Photos saved.')),
  })
}

/** The submitted order, with the move requested by a button. */
function orderOf(form: URLSearchParams): string[] {
  const order = form.getAll('photo')
  const cover = form.get('cover')
  if (cover) return [cover, ...order.filter(id => id !== cover)]
  const [id = '', direction] = (form.get('move') ?? '').split(' ')
  const from = order.indexOf(id)
  const to = from + (direction === 'up' ? -1 : 1)
  if (from === -1 || to < 0 || to >= order.length) return order
  const moved = order.filter(one => one !== id)
  moved.splice(to, 0, id)
  return moved
}

export function Arrange({ base, images }: { base: string; images: Image[] }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Orden y textos', 'Order and texts')}
      note={t(
        'La primera es la portada. El texto es para quienes usan lector de pantalla.',
        'The first is the cover. Screen readers read the text aloud.',
      )}
    >
      <Form action={`${base}/arrange`} class="flex min-w-0 flex-col gap-5" id="arrange">
        {/* Enter in a text field presses the first button of a form: make that one save. */}
        <button type="submit" class="sr-only" tabIndex={-1}>
          {t('Guardar', 'Save')}
        </button>
        <ol class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" data-sortable>
          {images.map((image, i) => (
            <Photo key={image.id} image={image} index={i} isLast={i === images.length - 1} />
          ))}
        </ol>
        <div>
          <Submit>{t('Guardar orden y textos', 'Save order and texts')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}

function Photo({ image, index, isLast }: { image: Image; index: number; isLast: boolean }) {
  const { t } = useVisit()
  return (
    <li class="group flex min-w-0 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 first:border-primary">
      <input type="hidden" name="photo" value={image.id} />
      <div class="relative">
        <img
          src={image.thumb}
          alt={image.alt ?? t(`Foto ${index + 1}`, `Photo ${index + 1}`)}
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
          aria-label={t(`Texto de la foto ${index + 1}`, `Alt text for photo ${index + 1}`)}
          placeholder={t('Qué se ve, como «Cocina con isla»', 'What it shows, like “Kitchen with island”')}
        />
        <div class="flex flex-wrap gap-1">
          <Step name="move" value={`${image.id} up`} label={t('Antes', 'Earlier')} disabled={index === 0} />
          <Step name="move" value={`${image.id} down`} label={t('Después', 'Later')} disabled={isLast} />
          <Step name="cover" value={image.id} label={t('Portada', 'Cover')} disabled={index === 0} />
          <Step name="remove" value={image.id} label={t('Quitar', 'Remove')} danger />
        </div>
      </div>
    </li>
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
