import { CURRENCIES } from '../../lib/money.ts'
import { AMENITIES } from '../../lookups/amenities.ts'
import { OPERATIONS, operations, PROPERTY_TYPES, propertyTypes } from '../../lookups/catalog.ts'
import { labelOf } from '../../market/portal/filters.tsx'
import { useVisit } from '../../portal/context.ts'
import type { Rejected } from '../../portal/form-route.ts'
import { amenityName } from '../../site/words.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Checkbox, Choices, Form, SelectField, TextArea, TextField, type Values } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { filterQuery, MAX_PLACES } from '../rules.ts'

const NUMBERS = [
  'min_bedrooms',
  'min_bathrooms',
  'min_parking',
  'min_construction',
  'min_lot',
  'min_commission',
]
const ASKED = [
  'operation',
  'type',
  'currency',
  'min_price',
  'max_price',
  'q',
  'features',
  'exclusive',
  'media',
  ...NUMBERS,
]

interface NeedFormProps {
  action: string
  values: URLSearchParams
  errors?: Rejected['errors']
}

/** Filters of a search that have no field here, like an area of the map, stay as they are. */
export function NeedForm({ action, values, errors }: NeedFormProps) {
  const { t } = useVisit()
  const kept = [...filterQuery(values)].filter(([name]) => !ASKED.includes(name))
  return (
    <Form action={action} values={values as Values} errors={errors} class="flex max-w-3xl flex-col gap-6">
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <Panel title={t('Qué busca tu cliente', 'What your client is looking for')}>
        <CriteriaFields />
      </Panel>
      <Panel title={t('Quién la ve y cómo te avisamos', 'Who sees it and how we notify you')}>
        <SharingFields />
      </Panel>
      <Submit class="self-start">{t('Guardar búsqueda', 'Save need')}</Submit>
    </Form>
  )
}

function CriteriaFields() {
  const { t, lang } = useVisit()
  // The labels of filters leave out "at least"; those of prices do not.
  const numberLabel = (name: (typeof NUMBERS)[number]) =>
    /^min_(?!price)/.test(name) ? `${labelOf(name, lang)}, ${t('mínimo', 'at least')}` : labelOf(name, lang)
  return (
    <div class="flex flex-col gap-5">
      <TextArea
        name="places"
        label={t('Lugares', 'Places')}
        hint={t(
          `Uno por renglón, hasta ${MAX_PLACES}: una colonia, ciudad, municipio o estado. Por ejemplo: Roma Norte, CDMX`,
          `One per line, up to ${MAX_PLACES}: a neighborhood, city, municipality or state. For example: Roma Norte, CDMX`,
        )}
        rows={3}
        maxlength={2_000}
      />
      <div class="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="operation"
          label={labelOf('operation', lang)}
          empty={t('Venta o renta', 'Sale or rent')}
          options={operations.map(value => ({ value, label: OPERATIONS[value][lang] }))}
        />
        <SelectField
          name="currency"
          label={labelOf('currency', lang)}
          empty={t('Pesos o dólares', 'Pesos or dollars')}
          options={CURRENCIES.map(value => ({ value, label: value }))}
        />
        <TextField name="min_price" label={t('Presupuesto desde', 'Budget from')} inputmode="decimal" />
        <TextField name="max_price" label={t('Presupuesto hasta', 'Budget up to')} inputmode="decimal" />
      </div>
      <fieldset>
        <legend class="mb-2 text-sm font-medium">{labelOf('type', lang)}</legend>
        <div class="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {propertyTypes.map(type => (
            <Checkbox key={type} name="type" of={type} label={PROPERTY_TYPES[type][lang]} />
          ))}
        </div>
      </fieldset>
      <div class="grid grid-cols-2 gap-4 sm:grid-cols-3">
        {NUMBERS.map(name => (
          <TextField key={name} name={name} label={numberLabel(name)} inputmode="decimal" />
        ))}
      </div>
      <TextField name="q" label={labelOf('q', lang)} maxlength={200} />
      <details>
        <summary class="cursor-pointer text-sm font-medium">
          {t('Amenidades y más', 'Amenities and more')}
        </summary>
        <div class="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
          <Checkbox name="exclusive" of="1" label={labelOf('exclusive', lang)} />
          <Checkbox name="media" of="1" label={labelOf('media', lang)} />
          {AMENITIES.map(({ label }) => (
            <Checkbox key={label} name="features" of={label} label={amenityName(label, lang)} />
          ))}
        </div>
      </details>
    </div>
  )
}

function SharingFields() {
  const { t } = useVisit()
  return (
    <div class="flex flex-col gap-5">
      <TextField
        name="client"
        label={t('Cliente', 'Client')}
        hint={t('Solo para ti: nadie más lo ve.', 'For you only: no one else sees it.')}
        maxlength={80}
      />
      <TextArea
        name="note"
        label={t('Nota', 'Note')}
        hint={t(
          'Se lee en el tablero: no escribas datos de tu cliente.',
          'It can be read on the board: do not write your client’s details.',
        )}
        rows={3}
        maxlength={500}
      />
      <Checkbox
        name="on_board"
        label={t(
          'Mostrarla en el tablero a los agentes verificados, sin el cliente',
          'Show it on the board to verified agents, without the client',
        )}
      />
      <TextField name="until" type="date" label={t('Vigente hasta', 'Valid until')} required />
      <Choices
        name="notices"
        label={t('Avisos por correo', 'Email notifications')}
        options={[
          {
            value: 'daily',
            label: t('Una vez al día', 'Daily'),
            hint: t('Un solo correo con todas tus búsquedas.', 'One email for all your needs.'),
          },
          { value: 'at_once', label: t('Al momento', 'Right away') },
          { value: 'none', label: t('Sin correo', 'No emails') },
        ]}
      />
    </div>
  )
}
