import { useVisit } from '../../portal/context.ts'
import { DangerButton } from '../../ui/buttons.tsx'
import type { Import } from '../service.ts'
import { HOME } from './imports.tsx'

export function CancelButton({ one }: { one: Import }) {
  const { t } = useVisit()
  const isRunning = one.phase === 'running'
  return (
    // At the right edge: the question opens to the left.
    <div class="ml-auto">
      <DangerButton
        action={`${HOME}/${one.id}/cancel`}
        label={isRunning ? t('Detener', 'Stop') : t('Cancelar', 'Cancel')}
        question={
          isRunning
            ? t(
                'Lo importado hasta ahora se queda; puedes deshacerlo.',
                'What was imported so far stays; you can undo it.',
              )
            : t(
                'No se guardó nada. Borramos lo que leímos del archivo.',
                'Nothing was saved. What we read from the file is deleted.',
              )
        }
        yes={isRunning ? t('Sí, detenerla', 'Yes, stop it') : t('Sí, cancelarla', 'Yes, cancel it')}
      />
    </div>
  )
}

/** How far the current phase is. */
export function Progress({ one }: { one: Import }) {
  const { t } = useVisit()
  const isReading = one.phase === 'reading'
  const {
    created = 0,
    changed = 0,
    unchanged = 0,
    unpublished = 0,
    refused = 0,
    undone = 0,
    kept = 0,
  } = one.counts
  const written = created + changed + unpublished
  const isUndoing = one.phase === 'undoing'
  const share = isUndoing ? undone + kept : written + unchanged + refused
  const total = isUndoing ? written : one.total
  return (
    <div role="status" class="flex flex-col gap-2">
      <progress
        class="progress progress-primary w-full"
        aria-label={t('Avance', 'Progress')}
        {...(isReading ? {} : { value: share, max: Math.max(1, total) })}
      />
      <p class="text-sm text-base-content/75">
        {isReading
          ? t('Esta página se actualiza sola.', 'This page refreshes by itself.')
          : t(
              `${share} de ${total} filas. Puedes cerrar esta página: el trabajo sigue.`,
              `${share} of ${total} rows. You can close this page: the import continues.`,
            )}
      </p>
    </div>
  )
}
