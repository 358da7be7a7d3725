import type { AssetName } from '../../http/assets.ts'
import type { BaseMap } from '../../http/base-map.ts'
import type { Issue } from '../../lib/issue.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { PROPERTY_TYPES, propertyTypes, RENT_PERIODS, rentPeriods } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Form, SelectField, TextField, type Values } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { EMPTY_LISTING, type ListingFields } from '../fields.ts'
import { Amenities } from './amenities.tsx'
import { Columns, Stack } from './columns.tsx'
import { fieldsOn, Input, Inputs } from './input.tsx'
import { Place } from './place.tsx'
import { PreviewCard } from './preview.tsx'
import { LISTING_WORDING } from './wording.ts'
import { fieldNames } from './words.tsx'

export interface ListingFormDeps extends PortalDeps {
  baseMap: BaseMap
}

export const FORM_ASSETS: AssetName[] = ['leaflet.css', 'leaflet.js', 'base-map.js', 'listing-pin.js']

interface ListingFormProps {
  action: string
  /** Endpoint that redraws the preview while typing. */
  previewAction: string
  /** Endpoint that redraws the form with the point of its address. */
  locateAction: string
  values: Values
  errors?: readonly Issue[] | undefined
  preview: ListingFields
  cover: string | null | undefined
  /** Version as read; a later change by someone else is not overwritten. */
  version?: string
  cancel: string
  baseMap: BaseMap
}

/** An empty listing. */
export const emptyListing = (): ListingFields => ({ ...EMPTY_LISTING })

export function ListingForm(props: ListingFormProps) {
  const { t } = useVisit()
  const { action, values, errors, version, cancel } = props
  return (
    <Form
      action={action}
      values={values}
      errors={errors}
      wording={LISTING_WORDING}
      class="flex min-w-0 flex-col gap-6"
      id="listing-form"
    >
      {version && <input type="hidden" name="version" value={version} />}
      <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div class="flex min-w-0 flex-col gap-6">
          <Basics />
          <Price />
          <Rooms />
          <Place baseMap={props.baseMap} locateAction={props.locateAction} />
          <Amenities values={values} />
          <English />
          <Media />
          <Terms />
        </div>
        <div class="flex min-w-0 flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
          <h2 class="text-sm font-medium text-base-content/75">{t('Vista previa', 'Preview')}</h2>
          <div
            id="preview"
            {...{
              'hx-post': props.previewAction,
              'hx-trigger': 'input from:#listing-form delay:400ms',
              'hx-include': '#listing-form',
              'hx-swap': 'innerHTML',
            }}
          >
            <PreviewCard fields={props.preview} cover={props.cover} />
          </div>
        </div>
      </div>
      <div class="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-t border-base-300 bg-base-100 px-4 py-3 sm:mx-0 sm:rounded-box sm:border">
        <button type="submit" class="btn btn-primary">
          {version ? t('Guardar cambios', 'Save changes') : t('Guardar borrador', 'Save draft')}
        </button>
        <a class="btn btn-ghost" href={cancel}>
          {t('Cancelar', 'Cancel')}
        </a>
      </div>
    </Form>
  )
}

const useNames = () => fieldNames(useVisit().t)

function Basics() {
  const { t, lang } = useVisit()
  const names = useNames()
  return (
    <Panel title={t('Lo básico', 'The basics')}>
      <Stack>
        <Input name="title" />
        <SelectField
          name="property_type"
          label={names.property_type}
          options={propertyTypes.map(type => ({ value: type, label: PROPERTY_TYPES[type][lang] }))}
          required
        />
        <Input name="description" rows={8} />
      </Stack>
    </Panel>
  )
}

const currencies = CURRENCIES.map(value => ({ value, label: value }))

function Price() {
  const { t, lang } = useVisit()
  const names = useNames()
  return (
    <Panel
      title={t('Precio', 'Price')}
      note={t('De venta, de renta o ambos.', 'For sale, for rent, or both.')}
    >
      <Stack>
        <div class="grid min-w-0 grid-cols-2 gap-5">
          <TextField name="sale_price" label={names.sale_price} inputmode="decimal" placeholder="4,500,000" />
          <SelectField name="sale_currency" label={names.sale_currency} options={currencies} required />
        </div>
        <div class="grid min-w-0 grid-cols-2 gap-5 sm:grid-cols-3">
          <TextField
            name="rent_price"
            label={names.rent_price}
            inputmode="decimal"
            placeholder="28,000"
            class="col-span-2 sm:col-span-1"
          />
          <SelectField name="rent_currency" label={names.rent_currency} options={currencies} required />
          <SelectField
            name="rent_period"
            label={names.rent_period}
            options={rentPeriods.map(period => ({ value: period, label: RENT_PERIODS[period][lang] }))}
            required
          />
        </div>
      </Stack>
    </Panel>
  )
}

function Rooms() {
  const { t } = useVisit()
  return (
    <Panel title={t('Características', 'Features')}>
      <Columns of={4}>
        <Inputs names={fieldsOn('rooms')} />
      </Columns>
    </Panel>
  )
}

function English() {
  const { t } = useVisit()
  return (
    <Panel
      title={t('En inglés', 'In English')}
      note={t('Para compradores extranjeros.', 'For international buyers.')}
    >
      <Stack>
        <Inputs names={fieldsOn('english')} />
      </Stack>
    </Panel>
  )
}

function Media() {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Video y recorrido', 'Video and tour')}
      note={t('Las fotos se administran en su propia página.', 'Photos are managed on their own page.')}
    >
      <Columns>
        <Inputs names={fieldsOn('media')} />
      </Columns>
    </Panel>
  )
}

function Terms() {
  const { t } = useVisit()
  return (
    <Panel title={t('Condiciones y datos internos', 'Terms and internal data')}>
      <Stack>
        <Inputs names={fieldsOn('terms', true)} />
        <Columns>
          <Inputs names={fieldsOn('terms')} />
        </Columns>
      </Stack>
    </Panel>
  )
}
