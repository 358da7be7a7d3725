import type { ComponentChildren } from 'preact'
import { useVisit } from '../../portal/context.ts'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'

interface Change {
  id: number
  title: string
  text: ComponentChildren
  operator: string | null
  changed_at: Date
}

/** Who changed what, newest first. */
export function Changes({ changes }: { changes: Change[] }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Cambios', 'Changes')} class="self-start">
      {changes.length === 0 && (
        <p class="text-base-content/70">
          {t('Ninguno: todo tiene su valor predeterminado.', 'None: everything is the default.')}
        </p>
      )}
      <ul class="flex flex-col divide-y divide-base-300">
        {changes.map(change => (
          <li key={change.id} class="py-3 text-sm">
            <p class="font-medium break-words">{change.title}</p>
            <div class="break-words">{change.text}</div>
            <p class="text-base-content/70">
              {change.operator ?? t('línea de comandos', 'command line')} · <Time at={change.changed_at} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
