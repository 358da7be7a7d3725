import type { ComponentChildren } from 'preact'
import type { Issue, Wording } from '../../lib/issue.ts'
import { pageWords } from '../../lib/page-words.ts'
import { STATUSES } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import type { Outcome } from '../bulk-edit.ts'
import { BULK_EDIT_PATH } from './bulk.tsx'
import { ChangeList } from './history.tsx'
import { LISTING_WORDING } from './wording.ts'
import { fieldNames } from './words.tsx'

const BULK_WORDING: Wording = {
  ...LISTING_WORDING,
  changed_meanwhile: {
    en: 'It changed after the preview; preview it again.',
    es: 'Cambió después de la vista previa; vuelve a verla.',
  },
}

const isRejected = ({ issues }: Outcome) => issues.length > 0
const isUnchanged = ({ changes, status }: Outcome) => !status && Object.keys(changes).length === 0

/** Sends everything on to the next step, with the version of each listing seen here. */
export function Preview({ outcomes, sent }: { outcomes: Outcome[]; sent: URLSearchParams }) {
  const { t } = useVisit()
  const { changed, unchanged, rejected } = sorted(outcomes)
  const kept = [...sent].filter(([name]) => name !== 'id' && name !== 'step' && !name.startsWith('version-'))
  return (
    <Stacked>
      <Form action={BULK_EDIT_PATH} class="flex flex-wrap gap-3">
        {[...kept, ...outcomes.map(({ listing }) => ['id', listing.id] as const)].map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {outcomes.map(({ listing }) => (
          <input key={listing.id} type="hidden" name={`version-${listing.id}`} value={listing.version} />
        ))}
        {changed.length > 0 && (
          <Submit name="step" value="apply">
            {t(`Aplicar a ${changed.length}`, `Apply to ${changed.length}`)}
          </Submit>
        )}
        <Submit tone="plain" name="step" value="form">
          {t('Corregir', 'Go back and edit')}
        </Submit>
        <a class="btn btn-ghost" href="/portal/listings">
          {t('Cancelar', 'Cancel')}
        </a>
      </Form>
      <Group title={t('No se pueden cambiar', 'Cannot be changed')} outcomes={rejected} />
      <Group title={t('Cambiarán', 'Will change')} outcomes={changed} />
      <Group title={t('Quedan igual', 'Stay the same')} outcomes={unchanged} />
    </Stacked>
  )
}

export function Results({ outcomes }: { outcomes: Outcome[] }) {
  const { t } = useVisit()
  const { changed, unchanged, rejected } = sorted(outcomes)
  return (
    <Stacked>
      <Group title={t('Rechazadas', 'Rejected')} outcomes={rejected} />
      <Group title={t('Cambiadas', 'Changed')} outcomes={changed} />
      <Group title={t('Sin cambio', 'Unchanged')} outcomes={unchanged} />
      <a class="btn btn-primary self-start" href="/portal/listings">
        {t('Volver a tus propiedades', 'Back to your listings')}
      </a>
    </Stacked>
  )
}

const sorted = (outcomes: Outcome[]) => ({
  rejected: outcomes.filter(isRejected),
  changed: outcomes.filter(one => !isRejected(one) && !isUnchanged(one)),
  unchanged: outcomes.filter(one => !isRejected(one) && isUnchanged(one)),
})

const Stacked = ({ children }: { children: ComponentChildren }) => (
  <div class="flex min-w-0 flex-col gap-6">{children}</div>
)

function Group({ title, outcomes }: { title: string; outcomes: Outcome[] }) {
  if (outcomes.length === 0) return null
  return (
    <Panel title={`${title} (${outcomes.length})`}>
      <ul class="flex flex-col divide-y divide-base-300">
        {outcomes.map(outcome => (
          <li key={outcome.listing.id} class="py-3 text-sm">
            <a class="link font-medium link-hover" href={`/portal/listings/${outcome.listing.id}`}>
              {outcome.listing.title}
            </a>
            {isRejected(outcome) ? <Reasons issues={outcome.issues} /> : <Changes {...outcome} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Reasons({ issues }: { issues: readonly Issue[] }) {
  const { t, lang } = useVisit()
  const names: Record<string, string> = fieldNames(t)
  return (
    <ul class="mt-1 text-error">
      {issues.map(one => (
        <li key={`${one.field} ${one.code}`}>
          {[names[one.field], pageWords(one, lang, BULK_WORDING)].filter(Boolean).join(': ')}
        </li>
      ))}
    </ul>
  )
}

function Changes({ listing, changes, status }: Outcome) {
  const { t, lang } = useVisit()
  return (
    <>
      {Object.keys(changes).length > 0 && <ChangeList changes={changes} />}
      {status && (
        <p class="mt-1 border-l-2 border-base-300 pl-3">
          <span class="font-medium">{t('Estatus', 'Status')}: </span>
          {`${STATUSES[listing.status][lang]} → ${STATUSES[status][lang]}`}
        </p>
      )}
    </>
  )
}
