import { useVisit } from '../../portal/context.ts'
import type { Rejected } from '../../portal/form-route.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField, TextArea, TextField } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { BULK_TEXTS, type PRICE_KINDS, type PRICE_UNITS, ROUNDINGS } from '../bulk-edit.ts'
import type { ListingRow } from '../service.ts'
import { AmenityChips, AmenityChoices } from './amenities.tsx'
import { BULK_EDIT_PATH, useTransitions } from './bulk.tsx'
import { Columns, Stack } from './columns.tsx'
import { fieldNames } from './words.tsx'

interface Props extends Rejected {
  listings: ListingRow[]
}

export function BulkEditForm({ listings, values, errors }: Props) {
  const { t } = useVisit()
  const transitions = [
    ...useTransitions(),
    { value: 'sell', label: t('Marcar como vendidas', 'Mark as sold') },
    { value: 'rent', label: t('Marcar como rentadas', 'Mark as rented') },
  ]
  return (
    <Form action={BULK_EDIT_PATH} values={values} errors={errors} class="flex min-w-0 flex-col gap-6">
      <Selected listings={listings} />
      <PricePanel />
      <Panel title={t('Estatus', 'Status')}>
        <SelectField
          name="transition"
          label={t('Cambio de estatus', 'Change of status')}
          optional={false}
          empty={t('Sin cambio', 'No change')}
          options={transitions}
        />
      </Panel>
      <AmenityPanel listings={listings} values={values} />
      <TextPanel />
      <div class="flex flex-wrap gap-3">
        <Submit name="step" value="preview">
          {t('Ver vista previa', 'Preview')}
        </Submit>
        <a class="btn btn-ghost" href="/portal/listings">
          {t('Cancelar', 'Cancel')}
        </a>
      </div>
    </Form>
  )
}

function Selected({ listings }: Pick<Props, 'listings'>) {
  const { t } = useVisit()
  return (
    <details class="rounded-box border border-base-300 bg-base-100 p-4 text-sm">
      <summary class="cursor-pointer font-medium">
        {t(
          `Propiedades seleccionadas: ${listings.length}. Primero verás una vista previa; nada cambia hasta que la apliques.`,
          `Selected listings: ${listings.length}. You will see a preview first; nothing changes until you apply it.`,
        )}
      </summary>
      <ul class="mt-3 list-disc pl-5">
        {listings.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      {listings.map(({ id }) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
    </details>
  )
}

function PricePanel() {
  const { t } = useVisit()
  const units: Record<(typeof PRICE_UNITS)[number], string> = {
    percent: t('Por ciento (%)', 'Percent (%)'),
    amount: t('Cantidad, en su moneda', 'Amount, in its currency'),
  }
  const kinds: Record<(typeof PRICE_KINDS)[number], string> = {
    both: t('Venta y renta', 'Sale and rent'),
    sale: t('Venta', 'Sale'),
    rent: t('Renta', 'Rent'),
  }
  const roundings = {
    1: t('Al peso o dólar', 'To the whole peso or dollar'),
    100: t('A centenas', 'To hundreds'),
    1000: t('A miles', 'To thousands'),
  }
  return (
    <Panel title={t('Precio', 'Price')}>
      <Columns of={4}>
        <TextField
          name="price_by"
          label={t('Sube o baja', 'Raise or lower by')}
          inputmode="text"
          maxlength={20}
          placeholder={t('-5 o +50,000', '-5 or +50,000')}
        />
        <SelectField name="price_unit" label={t('En', 'In')} optional={false} options={optionsOf(units)} />
        <SelectField
          name="price_of"
          label={t('Precio de', 'Price of')}
          optional={false}
          options={optionsOf(kinds)}
        />
        <SelectField
          name="price_round"
          label={t('Redondear', 'Round')}
          optional={false}
          options={ROUNDINGS.map(value => ({ value, label: roundings[value] }))}
        />
      </Columns>
    </Panel>
  )
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

function AmenityPanel({ listings, values }: Omit<Props, 'errors'>) {
  const { t } = useVisit()
  const present = [...new Set(listings.flatMap(({ features }) => features))]
  return (
    <Panel title={t('Amenidades', 'Amenities')}>
      <Stack>
        <fieldset>
          <legend class="text-sm font-medium">{t('Agregar', 'Add')}</legend>
          <AmenityChoices name="add" chosen={values.getAll('add')} />
        </fieldset>
        {present.length > 0 && (
          <fieldset>
            <legend class="text-sm font-medium">{t('Quitar', 'Remove')}</legend>
            <AmenityChips name="remove" labels={present} chosen={values.getAll('remove')} class="mt-3" />
          </fieldset>
        )}
      </Stack>
    </Panel>
  )
}

function TextPanel() {
  const { t } = useVisit()
  const names = fieldNames(t)
  return (
    <Panel title={t('Texto', 'Text')}>
      <Stack>
        <Columns>
          <SelectField
            name="text_do"
            label={t('Qué hacer', 'What to do')}
            optional={false}
            options={[
              { value: 'append', label: t('Agregar al final', 'Append at the end') },
              { value: 'replace', label: t('Reemplazar una frase', 'Replace a phrase') },
            ]}
          />
          <SelectField
            name="text_in"
            label={t('En qué texto', 'In which text')}
            optional={false}
            options={BULK_TEXTS.map(value => ({ value, label: names[value] }))}
          />
        </Columns>
        <TextField
          name="phrase"
          label={t('Frase por reemplazar', 'Phrase to replace')}
          hint={t('Tal como está escrita, con mayúsculas y acentos.', 'Exactly as written.')}
          maxlength={200}
        />
        <TextArea
          name="text"
          label={t('Texto nuevo', 'New text')}
          hint={t('Vacío, quita la frase.', 'If empty, the phrase is removed.')}
          rows={3}
          maxlength={2_000}
        />
      </Stack>
    </Panel>
  )
}
