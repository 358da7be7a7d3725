import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Form, LanguageField, type Shown, TextArea, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { sharedPath } from '../rules.ts'
import type { Collection, CollectionInList } from '../service.ts'
import { type Choosing, Contents, Picker } from './picker.tsx'

const HOME = '/portal/collections'

function CollectionFields() {
  const { t } = useVisit()
  return (
    <>
      <TextField
        name="title"
        label={t('Título', 'Title')}
        hint={t(
          'Lo ve tu cliente: «Casas para la familia López».',
          'Your client sees it: “Homes for the Lópezes”.',
        )}
        maxlength={120}
        required
      />
      <TextArea
        name="message"
        label={t('Mensaje para tu cliente', 'Message to your client')}
        rows={3}
        maxlength={1_000}
      />
      <LanguageField label={t('Idioma de la página', 'Language of the page')} />
    </>
  )
}

export function Collections(props: {
  collections: CollectionInList[]
  publicUrl: string
  form: Shown | undefined
}) {
  const { t, agent } = useVisit()
  const { collections, publicUrl, form } = props
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      {collections.length === 0 ? (
        <Panel>
          <Empty icon="share" title={t('Aún no tienes colecciones', 'No collections yet')}>
            {agent?.isVerified
              ? t(
                  'Dale un título a la primera y elige después las propiedades.',
                  'Give the first one a title, then pick its listings.',
                )
              : t(
                  'Podrás compartir colecciones cuando verifiquemos tu licencia.',
                  'You can share collections once your licence is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {collections.map(one => (
            <li key={one.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
              <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 class="min-w-0 text-lg font-semibold break-words">
                  <a class="link link-hover" href={`${HOME}/${one.id}`}>
                    {one.title}
                  </a>
                </h2>
                {!one.active && <Badge tone="warning">{t('Sin compartir', 'Not shared')}</Badge>}
              </div>
              <p class="mt-1 mb-4 text-sm text-base-content/75">
                {one.shown === 1
                  ? t('1 propiedad', '1 listing')
                  : t(`${one.shown} propiedades`, `${one.shown} listings`)}
                {' · '}
                {one.leads === 1
                  ? t('1 prospecto', '1 lead')
                  : t(`${one.leads} prospectos`, `${one.leads} leads`)}
              </p>
              <Copyable
                text={publicUrl + sharedPath(one)}
                label={t(`Enlace de ${one.title}`, `Link to ${one.title}`)}
              />
            </li>
          ))}
        </ul>
      )}
      {agent?.isVerified && (
        <Panel title={t('Nueva colección', 'New collection')} class="self-start">
          <Form action={HOME} {...(form ?? {})}>
            <CollectionFields />
            <Submit class="self-start">{t('Crear colección', 'Create collection')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}

interface OneProps extends Choosing {
  collection: Collection
  publicUrl: string
  form: Shown | undefined
}

export function OneCollection(props: OneProps) {
  const { t } = useVisit()
  const { collection, form } = props
  const path = `${HOME}/${collection.id}`
  return (
    // On a phone the link comes first: whoever comes back here comes to share it.
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <div class="flex min-w-0 flex-col gap-6 lg:row-span-2">
        <Contents {...props} path={path} />
        <Picker {...props} path={path} />
      </div>
      <div class="order-first min-w-0 lg:order-none">
        <Share {...props} path={path} />
      </div>
      <Panel title={t('Lo que lee tu cliente', 'What your client reads')} class="self-start">
        <Form action={`${path}/edit`} values={form?.values ?? { ...collection }} errors={form?.errors}>
          <CollectionFields />
          <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}

function Share({ collection, publicUrl, path }: OneProps & { path: string }) {
  const { t } = useVisit()
  const url = publicUrl + sharedPath(collection)
  const words = encodeURIComponent(`${collection.title}: ${url}`)
  return (
    <Panel
      title={t('Compartir', 'Share')}
      actions={!collection.active && <Badge tone="warning">{t('Sin compartir', 'Not shared')}</Badge>}
    >
      <div class="flex flex-col gap-4">
        <Copyable text={url} label={t('Enlace de la colección', 'Link to the collection')} stacked />
        <div class="flex flex-wrap gap-2">
          <a
            class="btn btn-sm"
            href={`https://wa.me/?text=${words}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            <Icon name="chat" class="size-4" />
            WhatsApp
          </a>
          <a class="btn btn-sm" href={sharedPath(collection)} target="_blank" rel="noopener">
            <Icon name="external" class="size-4" />
            {t('Ver la página', 'See the page')}
          </a>
        </div>
        <div class="flex flex-wrap gap-2 border-t border-base-300 pt-4">
          <ActionButton action={`${path}/${collection.active ? 'pause' : 'resume'}`}>
            {collection.active
              ? t('Dejar de compartir', 'Stop sharing')
              : t('Compartir de nuevo', 'Share again')}
          </ActionButton>
          <DangerButton
            action={`${path}/remove`}
            label={t('Eliminar', 'Remove')}
            question={t(
              'El enlace deja de funcionar para siempre. Los prospectos que llegaron por ella se quedan.',
              'The link stops working for good. The leads that came by it stay.',
            )}
            yes={t('Sí, eliminarla', 'Yes, remove it')}
          />
        </div>
      </div>
    </Panel>
  )
}
