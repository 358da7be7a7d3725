import { numberText } from '../lib/i18n.ts'
import { useReader } from './context.ts'

interface Bar {
  label: string
  value: number
  /** Replaces the label where there is room. */
  title?: string
}

const CHART = { width: 360, height: 190, top: 16, bottom: 22 }

/** Vertical bars rendered on the server, with an equivalent table for screen readers. */
export function BarChart({ bars, caption }: { bars: Bar[]; caption: string }) {
  const { lang } = useReader()
  const { width, height, top, bottom } = CHART
  const most = Math.max(1, ...bars.map(bar => bar.value))
  const step = width / Math.max(1, bars.length)
  // Every other label, including the newest: phones have no room for more.
  const isLabeled = (i: number) => (bars.length - 1 - i) % 2 === 0
  const size = (value: number) => (value / most) * (height - top - bottom)
  return (
    <figure class="min-w-0">
      <svg viewBox={`0 0 ${width} ${height}`} class="h-auto w-full" aria-hidden="true">
        <line x1="0" x2={width} y1={height - bottom} y2={height - bottom} class="stroke-base-300" />
        {bars.map((bar, i) => (
          <g key={bar.label}>
            <rect
              x={i * step + step * 0.18}
              y={height - bottom - Math.max(size(bar.value), 1)}
              width={step * 0.64}
              height={Math.max(size(bar.value), 1)}
              rx="3"
              class={bar.value > 0 ? 'fill-primary' : 'fill-base-300'}
            />
            {isLabeled(i) && (
              <text
                x={i * step + step / 2}
                y={height - 7}
                text-anchor="middle"
                class="fill-base-content text-[10px]"
              >
                {bar.label}
              </text>
            )}
            {bar.value > 0 && (
              <text
                x={i * step + step / 2}
                y={height - bottom - size(bar.value) - 5}
                text-anchor="middle"
                class="fill-base-content text-[11px] font-medium"
              >
                {numberText(bar.value, lang)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <table class="sr-only">
        <caption>{caption}</caption>
        <tbody>
          {bars.map(bar => (
            <tr key={bar.label}>
              <th scope="row">{bar.title ?? bar.label}</th>
              <td>{numberText(bar.value, lang)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** Horizontal bars with counts, for a few categories. */
export function Shares({ shares }: { shares: (Bar & { href?: string })[] }) {
  const { lang } = useReader()
  const most = Math.max(1, ...shares.map(share => share.value))
  return (
    <ul class="flex flex-col gap-3">
      {shares.map(share => (
        <li key={share.label} class="flex flex-col gap-1">
          <div class="flex justify-between gap-3 text-sm">
            {share.href ? (
              <a class="link link-hover" href={share.href}>
                {share.label}
              </a>
            ) : (
              <span>{share.label}</span>
            )}
            <span class="font-medium tabular-nums">{numberText(share.value, lang)}</span>
          </div>
          <svg viewBox="0 0 100 3" preserveAspectRatio="none" class="h-2 w-full" aria-hidden="true">
            <rect width="100" height="3" rx="1.5" class="fill-base-200" />
            <rect width={(share.value / most) * 100} height="3" rx="1.5" class="fill-primary" />
          </svg>
        </li>
      ))}
    </ul>
  )
}
