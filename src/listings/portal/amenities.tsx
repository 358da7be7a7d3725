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
  const { t, lang } = useVisit()
  const given = values instanceof URLSearchParams ? values.getAll('features') : (values.features as string[])
  const chosen = new Set(given ?? [])
  const categories = Object.keys(CATEGORY_EN) as AmenityCategory[]
  return (
    <Panel title={t('Amenidades', 'Amenities')}>
      <div class="flex flex-col divide-y divide-base-300">
        {categories.map(category => {
          const amenities = AMENITIES.filter(amenity => amenity.category === category)
          const count = amenities.filter(({ label }) => chosen.has(label)).length
          return (
            <details key={category} class="group py-3" open={count > 0 || category === 'Recreación'}>
              <summary class="cursor-pointer font-medium">
                {t(category, CATEGORY_EN[category])}{' '}
                {count > 0 && <span class="font-normal text-base-content/75">({count})</span>}
              </summary>
              <div class="mt-3 flex flex-wrap gap-2">
                {amenities.map(({ label, en }) => (
                  <label
                    key={label}
                    class="flex cursor-pointer items-center gap-2 rounded-full border border-base-300 px-3 py-1.5 text-sm has-checked:border-primary has-checked:bg-primary/10"
                  >
                    <input
                      type="checkbox"
                      name="features"
                      value={label}
                      checked={chosen.has(label)}
                      class="checkbox checkbox-primary checkbox-xs"
                    />
                    {lang === 'es' ? label : en}
                  </label>
                ))}
              </div>
            </details>
          )
        })}
      </div>
    </Panel>
  )
}
