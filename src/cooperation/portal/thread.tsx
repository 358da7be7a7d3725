import { commissionText } from '../../lib/commission.ts'
import { useVisit } from '../../portal/context.ts'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import type { Entry } from '../service.ts'
import { entryWords } from './words.tsx'

interface ThreadProps {
  entries: Entry[]
  hash: string
  path: string
  /** Whether the listing's agent proposed it. */
  isOffer: boolean
  /** Of the listing, for the times of showings; central Mexico unless given. */
  zone?: string
}

/** Everything that happened, oldest first; never edited, though an erased person's text goes. `path` is where files are. */
export function Thread({ entries, hash, path, isOffer, zone }: ThreadProps) {
  const { t } = useVisit()
  const words = entryWords(t, isOffer)
  return (
    <Panel title={t('Hilo', 'Thread')}>
      <ol class="flex flex-col gap-4">
        {entries.map(entry => (
          <li key={entry.id} class="min-w-0 border-l-2 border-base-300 pl-4">
            <p class="text-sm">
              {entry.agent_name && <strong>{entry.agent_name} </strong>}
              {words[entry.kind]} · <Time at={entry.at} />
            </p>
            {entry.split && <p class="text-sm font-medium break-words">{commissionText(entry.split)}</p>}
            {entry.showing_at && (
              <p class="text-sm font-medium">
                <Time at={entry.showing_at} {...(zone ? { zone } : {})} />
              </p>
            )}
            {entry.text && <p class="mt-1 break-words whitespace-pre-line">{entry.text}</p>}
            {entry.removed_at && (
              <p class="mt-1 text-sm break-all text-base-content/75 italic">
                {t('Eliminado a petición del cliente', 'Removed at the client’s request')} ·{' '}
                <Time at={entry.removed_at} /> · SHA-256: {entry.digest}
              </p>
            )}
            {entry.file && (
              <a class="link mt-1 inline-flex items-center gap-1 text-sm" href={`${path}/files/${entry.id}`}>
                <Icon name="download" class="size-4" />
                {t('Descargar', 'Download')}
              </a>
            )}
          </li>
        ))}
      </ol>
      <p class="mt-5 text-xs break-all text-base-content/75">SHA-256: {hash}</p>
    </Panel>
  )
}
