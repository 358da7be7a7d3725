import { cut } from '../../lib/text.ts'
import { useVisit } from '../../portal/context.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField, type Shown } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { TARGETS, targetName } from '../columns.ts'
import type { Import, ShownRow } from '../service.ts'
import { isBlank } from '../values.ts'
import { HOME } from './imports.tsx'
import { CancelButton } from './parts.tsx'
import { cellsOf } from './words.ts'

/** Every column with examples of what it holds, and what we take it for. */
export function ColumnsForm({ one, samples, ...shown }: Shown & { one: Import; samples: ShownRow[] }) {
  const { t } = useVisit()
  const options = TARGETS.map(value => ({ value, label: targetName(value, t) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  )
  const used = one.columns.filter(({ target }) => target !== null).length
  const values = Object.fromEntries(one.columns.map(({ target }, i) => [`column-${i}`, target ?? '']))
  return (
    <Panel
      title={t(
        `Reconocimos ${used} de ${one.columns.length} columnas`,
        `${used} of ${one.columns.length} columns recognized`,
      )}
      note={t('Las que no se usan se ignoran.', 'Columns that are not used are ignored.')}
      actions={<CancelButton one={one} />}
    >
      <Form action={`${HOME}/${one.id}/columns`} values={values} {...shown}>
        <ul class="flex flex-col divide-y divide-base-300">
          {one.columns.map(({ header }, i) => {
            const examples = samples
              .map(({ cells }) => cellsOf(cells)[i] ?? '')
              .filter(cell => !isBlank(cell))
            return (
              <li key={i} class="grid items-center gap-x-6 gap-y-1 py-3 sm:grid-cols-[minmax(0,1fr)_18rem]">
                <p class="min-w-0 text-sm text-base-content/75 break-words">
                  {examples.map(text => cut(text)).join(' · ')}
                </p>
                <SelectField
                  name={`column-${i}`}
                  label={header.trim() === '' ? t(`Columna ${i + 1}`, `Column ${i + 1}`) : header}
                  empty={t('No usar', 'Do not use')}
                  options={options}
                  optional={false}
                  class="sm:order-first"
                />
              </li>
            )
          })}
        </ul>
        <Submit class="self-start">{t('Revisar las filas', 'Check the rows')}</Submit>
      </Form>
    </Panel>
  )
}
