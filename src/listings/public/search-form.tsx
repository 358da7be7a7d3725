import { DAY_MS } from '../../lib/time.ts'
import { AMENITIES } from '../../lookups/amenities.ts'
import { propertyTypes, RENT_PERIODS, rentPeriods } from '../../lookups/catalog.ts'
import { STATES } from '../../lookups/states.ts'
import { useVisit } from '../../site/visit.ts'
import { amenityName, typesName } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { chipsOf, LABELS } from './filters.ts'
import { AtLeast, AtMost, Checks, Choice, Circle, type FieldProps, Figure, Text } from './search-fields.tsx'

interface FormProps {
  query: URLSearchParams
  cities: readonly string[]
  errors: readonly { name: string; text: string }[]
  now: number
}

/** Filters without a field: chips remove them. */
const HIDDEN = `q exclude_features sw_lat sw_lng ne_lat ne_lng bbox polygon sort price_in`.split(' ')

/** Every search filter; the most used ones are visible, the others collapsed. */
export function SearchForm({ query, cities, errors, now }: FormProps) {
  const { lang, t, to } = useVisit()
  const wrong = new Set(errors.map(({ name }) => name))
  const field = { query, wrong }
  const used = chipsOf(query, lang).length - Number(query.has('q'))
  return (
    <form
      class="search-form"
      action={to('/propiedades')}
      method="get"
      data-search
      data-counts="/filtros.json"
      data-words={JSON.stringify({
        one: t('Ver 1 propiedad', 'Show 1 property'),
        many: t('Ver # propiedades', 'Show # properties'),
        none: t('Sin resultados', 'No results'),
      })}
    >
      <label class="search-open">
        <input type="checkbox" id="filtros" />
        <Icon name="filters" />
        <span class="when-closed">{t('Filtros', 'Filters')}</span>
        <span class="when-open">{t('Cerrar filtros', 'Close filters')}</span>
        {used > 0 && <span class="badge badge-primary badge-sm">{used}</span>}
      </label>
      <MainFields {...field} />
      <FurtherFields {...field} now={now} />
      <div class="search-foot">
        <a class="btn" href={to('/propiedades')}>
          {t('Borrar', 'Clear')}
        </a>
        <button class="btn btn-primary" type="submit" data-total aria-live="polite">
          {t('Ver resultados', 'Show results')}
        </button>
      </div>
      {HIDDEN.flatMap(name =>
        query.getAll(name).map(value => <input type="hidden" name={name} value={value} />),
      )}
      <datalist id="ciudades">
        {cities.map(city => (
          <option value={city} />
        ))}
      </datalist>
    </form>
  )
}

type Fields = Pick<FieldProps, 'query' | 'wrong'>

function MainFields(field: Fields) {
  const { t } = useVisit()
  const { query } = field
  return (
    <div class="search-main">
      <label class="search-words">
        <span>{t('¿Qué buscas?', 'What are you looking for?')}</span>
        <input
          class="input w-full"
          type="search"
          name="ask"
          data-suggest
          value={query.get('q') ?? ''}
          maxlength={200}
          placeholder={t('casa con jardín, Roma Norte…', 'house with garden, Roma Norte…')}
        />
      </label>
      <Choice
        {...field}
        name="operation"
        empty={t('Comprar o rentar', 'Buy or rent')}
        options={[
          ['sale', t('Comprar', 'Buy')],
          ['rental', t('Rentar', 'Rent')],
        ]}
      />
      <Choice
        {...field}
        name="state"
        empty={t('Todo México', 'All of Mexico')}
        options={STATES.map(({ name }) => [name, name])}
      />
      <Text {...field} name="city" list="ciudades" />
      <Figure {...field} name="min_price" example={t('800 mil', '800k')} />
      <Figure {...field} name="max_price" example={t('2.5 mdp', '2.5 million')} />
      <AtLeast {...field} name="min_bedrooms" />
      <button class="btn btn-primary" type="submit">
        <Icon name="search" /> {t('Buscar', 'Search')}
      </button>
    </div>
  )
}

const UP_TO = [
  'max_bedrooms',
  'max_bathrooms',
  'max_parking',
  'max_half_bathrooms',
  'max_floors',
  'max_construction',
  'max_lot',
  'max_year_built',
]

const FURTHER = [
  ...UP_TO,
  'place',
  'type',
  'neighborhood',
  'currency',
  'rent_period',
  'min_bathrooms',
  'min_parking',
  'min_construction',
  'min_lot',
  'min_half_bathrooms',
  'min_floors',
  'min_year_built',
  'updated_since',
  'limit',
  'features',
  'radius_km',
]

function FurtherFields({ now, ...field }: Fields & { now: number }) {
  const { lang, t } = useVisit()
  const { query, wrong } = field
  const further = FURTHER.filter(name => query.has(name)).length
  return (
    <details class="search-more" open={FURTHER.some(name => wrong.has(name))}>
      <summary>
        <Icon name="filters" /> {t('Más filtros', 'More filters')}
        {further > 0 && <span class="badge badge-primary badge-sm">{further}</span>}
      </summary>
      <div class="search-further">
        <Checks
          legend={LABELS.type?.[lang] ?? ''}
          name="type"
          query={query}
          options={propertyTypes.map(type => [type, typesName(type, lang)])}
        />
        <FurtherGrid {...field} now={now} />
        <details class="search-amenities" open={query.has('features')}>
          <summary>{t('Amenidades', 'Amenities')}</summary>
          <Checks
            legend={t('Debe tener todas las que selecciones', 'Must have every one you select')}
            name="features"
            query={query}
            options={AMENITIES.map(({ label }) => [label, amenityName(label, lang)])}
          />
        </details>
        <Circle query={query} />
        <button class="btn btn-primary search-apply" type="submit">
          {t('Aplicar filtros', 'Apply filters')}
        </button>
      </div>
    </details>
  )
}

function FurtherGrid({ now, ...field }: Fields & { now: number }) {
  const { t, lang } = useVisit()
  return (
    <div class="search-grid">
      <Text {...field} name="place" />
      <Text {...field} name="neighborhood" />
      <Choice
        {...field}
        name="currency"
        empty={t('Pesos o dólares', 'Pesos or dollars')}
        options={[
          ['MXN', t('Pesos (MXN)', 'Pesos (MXN)')],
          ['USD', t('Dólares (USD)', 'Dollars (USD)')],
        ]}
      />
      <Choice
        {...field}
        name="rent_period"
        empty={t('Cualquiera', 'Any')}
        options={rentPeriods.map(period => [period, RENT_PERIODS[period][lang]])}
      />
      <AtLeast {...field} name="min_bathrooms" />
      <AtLeast {...field} name="min_parking" />
      <AtLeast {...field} name="min_half_bathrooms" />
      <AtLeast {...field} name="min_floors" />
      {UP_TO.slice(0, 5).map(name => (
        <AtMost {...field} name={name} />
      ))}
      <Figure {...field} name="min_construction" />
      <Figure {...field} name="max_construction" />
      <Figure {...field} name="min_lot" />
      <Figure {...field} name="max_lot" />
      <Figure {...field} name="min_year_built" />
      <Figure {...field} name="max_year_built" />
      <Choice
        {...field}
        name="updated_since"
        empty={t('Cualquier fecha', 'Any time')}
        options={since(now, t)}
      />
      <Choice
        {...field}
        name="limit"
        empty="24"
        options={[
          ['12', '12'],
          ['48', '48'],
        ]}
      />
    </div>
  )
}

/** Whole days, so the same choice gives the same URL all day. */
function since(now: number, t: (es: string, en: string) => string): [string, string][] {
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10)
  return [
    [daysAgo(1), t('Desde ayer', 'Since yesterday')],
    [daysAgo(7), t('Últimos 7 días', 'Last 7 days')],
    [daysAgo(30), t('Últimos 30 días', 'Last 30 days')],
  ]
}
