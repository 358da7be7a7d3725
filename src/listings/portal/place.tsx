import { type BaseMap, baseMapData } from '../../http/base-map.ts'
import { STATES } from '../../lookups/states.ts'
import { useVisit } from '../../portal/context.ts'
import { SelectField, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Columns, Stack } from './columns.tsx'
import { Input, Inputs } from './input.tsx'
import { fieldNames } from './words.tsx'

interface PlaceProps {
  baseMap: BaseMap
  locateAction: string
}

export function Place({ baseMap, locateAction }: PlaceProps) {
  const { t } = useVisit()
  const names = fieldNames(t)
  return (
    <Panel
      title={t('Ubicación', 'Location')}
      note={t(
        'Solo tú ves la calle y el punto exacto, salvo que decidas mostrarlos.',
        'Only you see the street and the exact point, unless you choose to show them.',
      )}
    >
      <Stack>
        <Columns>
          <SelectField
            name="state"
            label={names.state}
            empty={t('Elige…', 'Choose…')}
            options={STATES.map(({ name }) => ({ value: name, label: name }))}
            required
          />
          <Inputs names={['city', 'neighborhood', 'municipality', 'address']} />
          <TextField name="postal_code" label={names.postal_code} inputmode="numeric" maxlength={5} />
        </Columns>
        <button
          type="submit"
          formaction={locateAction}
          formnovalidate
          class="btn btn-sm self-start"
          data-locate
        >
          <Icon name="search" />
          {t('Ubicar por colonia o código postal', 'Locate by neighborhood or postal code')}
        </button>
        <Pin baseMap={baseMap} />
        <Columns>
          <Inputs names={['lat', 'lng']} />
        </Columns>
        <Input name="show_exact_address" />
      </Stack>
    </Panel>
  )
}

const CENTERS = Object.fromEntries(STATES.map(({ name, center }) => [name, [center.lat, center.lng]]))

/** Enhanced by listing-pin.js; without it the two fields below do the same. */
function Pin({ baseMap }: Pick<PlaceProps, 'baseMap'>) {
  const { t } = useVisit()
  return (
    <div
      hidden
      data-pin
      data-centers={JSON.stringify(CENTERS)}
      {...baseMapData(baseMap)}
      data-exact={t('Punto exacto: solo tú lo ves', 'Exact point: only you see it')}
      data-public={t('Punto exacto: todos lo verán', 'Exact point: everyone will see it')}
      data-cell={t('Zona que ven los demás', 'Area others see')}
      class="flex flex-col gap-2"
    >
      <p class="text-sm text-base-content/75">
        {t(
          'Haz clic donde está la propiedad o arrastra el punto.',
          'Click the property’s location, or drag the point.',
        )}{' '}
        <span class="pointer-coarse:hidden">
          {t(
            'Con el teclado: flechas para mover el mapa, + y − para acercarlo, Enter para poner el punto en el centro; con el punto elegido, flechas para moverlo.',
            'By keyboard: arrows to move the map, + and − to zoom, Enter to put the point in the center; with the point focused, arrows to move it.',
          )}
        </span>
      </p>
      <div
        class="isolate h-80 w-full rounded-box border border-base-300 bg-base-200"
        role="application"
        aria-label={t('Mapa para colocar la propiedad', 'Map to place the property')}
      />
      <p class="text-sm font-medium empty:hidden" role="status" data-note />
      <p class="flex flex-wrap gap-x-5 gap-y-1 text-sm" aria-live="polite">
        <span class="flex items-center gap-2">
          <span class="size-3 rounded-full bg-secondary" aria-hidden="true" />
          <span data-legend />
        </span>
        <span class="flex items-center gap-2" data-cell-legend>
          <span class="size-3 bg-primary/40 outline-1 outline-primary" aria-hidden="true" />
          {t('Zona que ven los demás, unos 330 m', 'Area others see, about 330 m')}
        </span>
      </p>
    </div>
  )
}
