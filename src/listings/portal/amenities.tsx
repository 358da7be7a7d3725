import { AMENITIES, type AmenityCategory } from '../../lookups/amenities.ts'
import { useVisit } from '../../portal/context.ts'
import type { Values } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'

const CATEGORY_EN: Record<AmenityCategory, string> = {
  Recreación: 'Recreation',
  Exterior: 'Outdoors',
  General: 'General',
  Seguridad: 'Safety',
  Accesibilidad: 'Accessibility',
  Políticas: 'Policies',
}

export function Amenities({ values }: { values: Values }) {
  const { t } = useVisit()
  const given = values instanceof URLSearchParams ? values.getAll('features') : (values.features as string[])
  return (
    <Panel title={t('Amenidades', 'Amenities')}>
      <AmenityChoices name="features" chosen={given ?? []} open="Recreación" />
    </Panel>
  )
}

/** By category, each folded unless something in it is chosen. */
export function AmenityChoices(props: { name: string; chosen: readonly string[]; open?: AmenityCategory }) {
  const { t } = useVisit()
  const { name, chosen, open } = props
  return (
    <div class="flex flex-col divide-y divide-base-300">
      {(Object.keys(CATEGORY_EN) as AmenityCategory[]).map(category => {
        const labels = AMENITIES.filter(amenity => amenity.category === category).map(({ label }) => label)
        const count = labels.filter(label => chosen.includes(label)).length
        return (
          <details key={category} class="group py-3" open={count > 0 || category === open}>
            <summary class="cursor-pointer font-medium">
              {t(category, CATEGORY_EN[category])}{' '}
              {count > 0 && <span class="font-normal text-base-content/75">({count})</span>}
            </summary>
            <AmenityChips {...{ name, labels, chosen }} class="mt-3" />
          </details>
        )
      })}
    </div>
  )
}

export function AmenityChips(props: {
  name: string
  labels: readonly string[]
  chosen: readonly string[]
  class?: string
}) {
  const { lang } = useVisit()
  const { name, labels, chosen, class: more = '' } = props
  return (
    <div class={`flex flex-wrap gap-2 ${more}`}>
      {AMENITIES.filter(({ label }) => labels.includes(label)).map(({ label, en }) => (
        <label
          key={label}
          class="flex cursor-pointer items-center gap-2 rounded-full border border-base-300 px-3 py-1.5 text-sm has-checked:border-primary has-checked:bg-primary/10"
        >
          <input
            type="checkbox"
            name={name}
            value={label}
            checked={chosen.includes(label)}
            class="checkbox checkbox-primary checkbox-xs"
          />
          {lang === 'es' ? label : en}
        </label>
      ))}
    </div>
  )
}
