import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { useVisit } from '../context.ts'

/** What a new agent has done already. */
export interface Steps {
  license: boolean
  profile: boolean
  listing: boolean
  published: boolean
}

/** The checklist of the first day; it goes away once everything is done. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const { t } = useVisit()
  const items: [isDone: boolean, href: string, text: string][] = [
    [
      steps.license,
      '/portal/licence',
      t('Envía tu licencia para verificarla', 'Submit your license for verification'),
    ],
    [
      steps.profile,
      '/portal/profile',
      t('Agrega tu foto y preséntate', 'Add your photo and introduce yourself'),
    ],
    [steps.listing, '/portal/listings/new', t('Captura tu primera propiedad', 'Enter your first listing')],
    [
      steps.published,
      '/portal/listings',
      t('Publícala con al menos cinco fotos', 'Publish it with at least five photos'),
    ],
  ]
  const done = items.filter(([isDone]) => isDone).length
  if (done === items.length) return null
  return (
    <Panel
      title={t('Primeros pasos', 'First steps')}
      note={t(`${done} de ${items.length} listos`, `${done} of ${items.length} done`)}
    >
      <ol class="grid gap-2 sm:grid-cols-2">
        {items.map(([isDone, href, text]) => (
          <li key={href} class="flex items-center gap-3">
            <span
              class={`grid size-7 shrink-0 place-items-center rounded-full ${isDone ? 'bg-success/20' : 'border border-base-300'}`}
            >
              {isDone && <Icon name="check" />}
            </span>
            {isDone ? (
              <span class="text-base-content/75">
                {text}
                <span class="sr-only"> ({t('listo', 'done')})</span>
              </span>
            ) : (
              <a class="link py-2" href={href}>
                {text}
              </a>
            )}
          </li>
        ))}
      </ol>
      {!steps.listing && (
        <p class="mt-4 text-sm text-base-content/75">
          {t('¿Ya tienes inventario en otro sistema?', 'Do you already have an inventory elsewhere?')}{' '}
          <a class="link" href="/portal/import">
            {t('Impórtalo', 'Import it')}
          </a>
        </p>
      )}
    </Panel>
  )
}
