import type { ComponentChildren } from 'preact'
import { wordsIn } from '../../lib/i18n.ts'
import { LABELS } from '../../listings/public/filters.ts'
import {
  OPERATIONS,
  PROPERTY_TYPES,
  type PropertyType,
  RENT_PERIODS,
  type RentPeriod,
} from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import type { Mark } from '../../search/criteria.ts'
import type { OfferCounts } from '../../search/offers.ts'
import { amenityName, count } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { HOME } from './words.tsx'

interface FilterProps {
  query: URLSearchParams
  counts: OfferCounts
  wrong: Set<string>
}

const OWN_LABELS: Record<string, { es: string; en: string }> = {
  min_commission: { es: 'Comisión compartida', en: 'Shared commission' },
  fresh: { es: 'Novedades', en: 'What’s new' },
  not: { es: 'Excluir', en: 'Exclude' },
}
export const WHOSE_WORDS: Record<string, { es: string; en: string }> = {
  mine: { es: 'Las mías', en: 'Mine' },
  agency: { es: 'Las de mi inmobiliaria', en: 'My agency’s' },
}
export const MARK_WORDS: Record<Mark, { es: string; en: string }> = {
  exclusive: { es: 'Exclusivas', en: 'Exclusive' },
  media: { es: 'Con video o recorrido', en: 'With video or tour' },
}
export const labelOf = (name: string, lang: 'es' | 'en'): string =>
  (OWN_LABELS[name] ?? LABELS[name])?.[lang] ?? name

function Labeled({ name, children }: { name: string; children: ComponentChildren }) {
  const { lang } = useVisit()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="flex min-w-0 flex-col gap-1 text-sm font-medium">
      <span>{labelOf(name, lang)}</span>
      {children}
    </label>
  )
}

function Text({ name, query, wrong, numeric = false }: FilterProps & { name: string; numeric?: boolean }) {
  return (
    <Labeled name={name}>
      <input
        class={`input w-full font-normal ${wrong.has(name) ? 'input-error' : ''}`}
        type="text"
        name={name}
        value={query.get(name) ?? ''}
        maxlength={200}
        aria-invalid={wrong.has(name) || undefined}
        {...(numeric ? { inputmode: 'decimal' as const, autocomplete: 'off' as const } : {})}
      />
    </Labeled>
  )
}

/** Each value with how many it would find. One from a handwritten address stays chosen. */
function Choice({
  name,
  query,
  counts,
  words,
  empty,
}: FilterProps & { name: string; words: (value: string) => string; empty: string }) {
  const { lang } = useVisit()
  const chosen = query.get(name) ?? ''
  const values = counts.get(name) ?? new Map<string, number>()
  return (
    <Labeled name={name}>
      <select class="select w-full font-normal" name={name}>
        <option value="">{empty}</option>
        {chosen !== '' && !values.has(chosen) && (
          <option value={chosen} selected>
            {words(chosen).slice(0, 60)}
          </option>
        )}
        {[...values].map(([value, found]) => (
          <option key={value} value={value} selected={value === chosen}>
            {words(value)} ({count(found, lang)})
          </option>
        ))}
      </select>
    </Labeled>
  )
}

function Checks({
  name,
  query,
  counts,
  words,
  legend,
}: FilterProps & { name: string; words: (value: string) => string; legend: string }) {
  const { lang } = useVisit()
  const chosen = query.getAll(name)
  return (
    <fieldset class="min-w-0">
      <legend class="mb-1.5 text-sm font-medium">{legend}</legend>
      <div class="grid grid-cols-1 gap-x-4 gap-y-1.5 sm:grid-cols-2 lg:grid-cols-4">
        {[...(counts.get(name) ?? [])]
          .filter(([value, found]) => found > 0 || chosen.includes(value))
          .map(([value, found]) => (
            <label key={value} class="flex min-w-0 items-center gap-2 text-sm">
              <input
                class="checkbox checkbox-sm"
                type="checkbox"
                name={name}
                value={value}
                checked={chosen.includes(value)}
              />
              <span class="min-w-0 break-words">
                {words(value)} <span class="text-base-content/75 tabular-nums">({count(found, lang)})</span>
              </span>
            </label>
          ))}
      </div>
    </fieldset>
  )
}

const FRESH_KINDS = {
  new: ['Nuevas', 'New'],
  lowered: ['Bajaron de precio', 'Price lowered'],
  either: ['Nuevas o con baja de precio', 'New or price lowered'],
} as const

export function freshWords(value: string, lang: 'es' | 'en'): string {
  const [kind = '', days = ''] = value.split('-')
  const t = wordsIn(lang)
  const [es, en] = FRESH_KINDS[kind as keyof typeof FRESH_KINDS] ?? [kind, kind]
  return `${t(es, en)}, ${t(`${days} días`, `${days} days`)}`
}

const KEPT = [
  'as',
  'sort',
  'limit',
  'sw_lat',
  'sw_lng',
  'ne_lat',
  'ne_lng',
  'lat',
  'lng',
  'radius_km',
  'ids',
  'updated_since',
  'exclude_features',
  'bbox',
  'polygon',
]

export function Filters(props: FilterProps) {
  const { t } = useVisit()
  const { query } = props
  return (
    <form
      method="get"
      action={HOME}
      class="flex min-w-0 flex-col gap-4 rounded-box border border-base-300 bg-base-100 p-4 sm:p-5"
    >
      {KEPT.flatMap(name =>
        query
          .getAll(name)
          .map(value => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
      )}
      <MainFilters {...props} />
      <MoreFilters {...props} />
      <div class="flex flex-wrap items-center gap-3">
        <button class="btn btn-primary" type="submit">
          <Icon name="search" /> {t('Buscar', 'Search')}
        </button>
        <a class="link text-sm" href={HOME}>
          {t('Quitar filtros', 'Clear filters')}
        </a>
      </div>
    </form>
  )
}

const GRID = 'grid min-w-0 grid-cols-2 gap-3 lg:grid-cols-4'

function MainFilters(props: FilterProps) {
  const { t, lang } = useVisit()
  const { query, counts } = props
  return (
    <div class={GRID}>
      <label class="flex min-w-0 flex-col gap-1 text-sm font-medium col-span-2">
        <span>{t('¿Qué busca tu cliente?', 'What is your client looking for?')}</span>
        <input
          class="input w-full font-normal"
          type="search"
          name="ask"
          data-suggest
          value={query.get('q') ?? ''}
          maxlength={200}
          placeholder={t(
            'casa 3 recámaras en Zapopan hasta 6 millones',
            '3 bedroom house in Zapopan up to 6 million',
          )}
        />
      </label>
      <Choice
        {...props}
        name="operation"
        empty={t('Venta o renta', 'Sale or rental')}
        words={value => OPERATIONS[value as 'sale']?.[lang] ?? value}
      />
      <Choice {...props} name="state" empty={t('Todo México', 'All of Mexico')} words={value => value} />
      <Choice
        {...props}
        name="min_commission"
        empty={t('Cualquiera', 'Any')}
        words={value => t(`${value}% o más`, `${value}% or more`)}
      />
      <Choice
        {...props}
        name="fresh"
        empty={t('Cualquier fecha', 'Any date')}
        words={value => freshWords(value, lang)}
      />
      <Choice
        {...props}
        name="not"
        empty={t('Ninguna', 'None')}
        words={value => WHOSE_WORDS[value]?.[lang] ?? value}
      />
      <fieldset class="flex min-w-0 flex-col justify-end gap-1.5 pb-1">
        <legend class="sr-only">{t('Solo', 'Only')}</legend>
        {(['exclusive', 'media'] as const).map(name => (
          <label key={name} class="flex items-center gap-2 text-sm">
            <input
              class="checkbox checkbox-sm"
              type="checkbox"
              name={name}
              value="1"
              checked={query.has(name)}
            />
            {MARK_WORDS[name][lang]}{' '}
            <span class="text-base-content/75 tabular-nums">
              ({count(counts.get(name)?.get('1') ?? 0, lang)})
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}

const MORE = [
  'type',
  'place',
  'city',
  'neighborhood',
  'min_price',
  'max_price',
  'currency',
  'rent_period',
  'features',
]
const NUMBERS = [
  'min_construction',
  'max_construction',
  'min_lot',
  'max_lot',
  'max_bedrooms',
  'max_bathrooms',
  'max_parking',
]
const COUNTED = ['min_bedrooms', 'min_bathrooms', 'min_parking']

function MoreFilters(props: FilterProps) {
  const { t, lang } = useVisit()
  const { query, wrong } = props
  const names = [...MORE, ...NUMBERS, ...COUNTED]
  const used = names.filter(name => query.has(name)).length
  return (
    <details open={names.some(name => wrong.has(name))}>
      <summary class="cursor-pointer text-sm font-medium">
        {t('Más filtros', 'More filters')}{' '}
        {used > 0 && <span class="badge badge-primary badge-sm">{used}</span>}
      </summary>
      <div class="mt-4 flex flex-col gap-4">
        <Checks
          {...props}
          name="type"
          legend={labelOf('type', lang)}
          words={value => PROPERTY_TYPES[value as PropertyType][lang]}
        />
        <div class={GRID}>
          {['place', 'city', 'neighborhood'].map(name => (
            <Text {...props} key={name} name={name} />
          ))}
          <Choice
            {...props}
            name="currency"
            empty={t('Pesos o dólares', 'Pesos or dollars')}
            words={value => value}
          />
          <Choice
            {...props}
            name="rent_period"
            empty={t('Cualquiera', 'Any')}
            words={value => RENT_PERIODS[value as RentPeriod]?.[lang] ?? value}
          />
          {['min_price', 'max_price'].map(name => (
            <Text {...props} key={name} name={name} numeric />
          ))}
          {COUNTED.map(name => (
            <Choice
              {...props}
              key={name}
              name={name}
              empty={t('Cualquiera', 'Any')}
              words={value => `${value}+`}
            />
          ))}
          {NUMBERS.map(name => (
            <Text {...props} key={name} name={name} numeric />
          ))}
        </div>
        <Checks
          {...props}
          name="features"
          legend={t('Amenidades (todas)', 'Amenities (all of them)')}
          words={value => amenityName(value, lang)}
        />
      </div>
    </details>
  )
}
