import { useVisit } from '../../portal/context.ts'
import { ActionButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { isFixable, type Shown } from '../service.ts'
import { fieldOf, fixWords, wordsOf } from './words.ts'

export const HOME = '/portal/doctor'

/** On the page of one listing; nothing if nothing was found. */
export function FindingsPanel({ findings }: { findings: Shown[] }) {
  const { t } = useVisit()
  if (findings.length === 0) return null
  return (
    <Panel title={t('Por revisar', 'To review')}>
      <Findings findings={findings} back="listing" />
    </Panel>
  )
}

export function Findings({ findings, back }: { findings: Shown[]; back: 'listing' | 'list' }) {
  return (
    <ul class="flex min-w-0 flex-col gap-4">
      {findings.map(finding => (
        <OneFinding key={`${finding.kind} ${finding.other_id}`} finding={finding} back={back} />
      ))}
    </ul>
  )
}

function OneFinding({ finding, back }: { finding: Shown; back: 'listing' | 'list' }) {
  const { t } = useVisit()
  const { listing_id: id, kind, other_id: other, other_slug: slug } = finding
  const path = `${HOME}/${id}/${kind}`
  const fields = { back, ...(other ? { other } : {}) }
  return (
    <li class="min-w-0">
      <p class="flex gap-2 text-sm break-words">
        <Icon name="alert" class="mt-0.5 size-4 shrink-0 text-warning" />
        <span class="min-w-0">{wordsOf(finding, t)}</span>
      </p>
      <div class="mt-2 flex flex-wrap gap-2">
        {isFixable(kind) ? (
          <ActionButton action={`${path}/fix`} fields={fields}>
            {fixWords(kind, t)}
          </ActionButton>
        ) : (
          <a class="btn btn-sm" href={`/portal/listings/${id}/edit#${fieldOf(finding)}`}>
            {t('Corregir', 'Correct it')}
          </a>
        )}
        {slug && (
          <a class="btn btn-sm" href={`/propiedades/${slug}`}>
            {t('Ver la otra', 'See the other')}
          </a>
        )}
        <ActionButton action={`${path}/dismiss`} fields={fields}>
          {t('Es correcto', 'It’s correct')}
        </ActionButton>
      </div>
    </li>
  )
}
