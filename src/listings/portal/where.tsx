import type { ComponentChildren } from 'preact'
import { useVisit } from '../../portal/context.ts'
import { Panel } from '../../ui/panels.tsx'
import { CELL_MICRO } from '../location.ts'
import type { OwnListing } from './inventory.ts'

/** The exact point, and what others see of it. */
export function Where({ listing }: { listing: OwnListing }) {
  const { t } = useVisit()
  const { lat, lng, public_lat, public_lng } = listing
  if (lat === null || lng === null || public_lat === null || public_lng === null) return null
  return (
    <Panel title={t('Ubicación', 'Location')}>
      <CellFigure
        exact={{ lat, lng }}
        shown={{ lat: public_lat, lng: public_lng }}
        isExact={listing.show_exact_address}
      />
      <dl class="mt-4 flex flex-col gap-2 text-sm">
        <Legend dot="bg-secondary" term={t('Punto exacto', 'Exact point')}>
          {lat}, {lng}
        </Legend>
        {listing.show_exact_address ? (
          <p class="text-base-content/75">
            {t('Todos ven el punto exacto.', 'Everyone sees the exact point.')}
          </p>
        ) : (
          <Legend dot="bg-primary" term={t('Lo que ven los demás', 'What others see')}>
            {public_lat}, {public_lng}
          </Legend>
        )}
      </dl>
    </Panel>
  )
}

function Legend({ dot, term, children }: { dot: string; term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="flex items-center gap-2">
        <span class={`size-2.5 rounded-full ${dot}`} aria-hidden="true" />
        {term}
      </dt>
      <dd class="pl-4.5 font-mono text-sm text-base-content/75">{children}</dd>
    </div>
  )
}

interface FigureProps {
  exact: { lat: number; lng: number }
  shown: { lat: number; lng: number }
  isExact: boolean
}

/** The public cell and its neighbors, rendered on the server, with the exact and the public point. */
function CellFigure({ exact, shown, isExact }: FigureProps) {
  const { t } = useVisit()
  const micro = (degrees: number) => Math.round(degrees * 1e6)
  const corner = (degrees: number) => Math.floor(micro(degrees) / CELL_MICRO) * CELL_MICRO
  const cell = { lat: corner(exact.lat), lng: corner(exact.lng) }
  // A degree of longitude is shorter than one of latitude.
  const narrow = Math.cos((exact.lat * Math.PI) / 180)
  const unit = 100
  const x = (lng: number) => ((micro(lng) - cell.lng) / CELL_MICRO + 0.5) * unit * narrow
  const y = (lat: number) => (1.5 - (micro(lat) - cell.lat) / CELL_MICRO) * unit
  const width = 2 * unit * narrow
  const lines = [0.5, 1.5]
  return (
    <svg
      viewBox={`0 0 ${width} ${2 * unit}`}
      class="w-full rounded-field bg-base-200"
      role="img"
      aria-label={t('La zona pública y el punto exacto', 'The public area and the exact point')}
    >
      {lines.map(at => (
        <g key={at} class="stroke-base-300">
          <line x1={at * unit * narrow} x2={at * unit * narrow} y1="0" y2={2 * unit} />
          <line y1={at * unit} y2={at * unit} x1="0" x2={width} />
        </g>
      ))}
      {!isExact && (
        <>
          <rect
            x={0.5 * unit * narrow}
            y={0.5 * unit}
            width={unit * narrow}
            height={unit}
            class="fill-primary/20 stroke-primary"
          />
          <circle cx={x(shown.lng)} cy={y(shown.lat)} r="4" class="fill-primary" />
        </>
      )}
      <circle
        cx={x(exact.lng)}
        cy={y(exact.lat)}
        r="5"
        class="fill-secondary stroke-base-100"
        stroke-width="1.5"
      />
    </svg>
  )
}
