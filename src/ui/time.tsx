import { timeText } from '../lib/time.ts'
import { useReader } from './context.ts'

/** A moment as people there write it; the machine's form stands behind it. */
export function Time({ at, day = false }: { at: Date; day?: boolean }) {
  const { lang } = useReader()
  return (
    <time dateTime={at.toISOString()} class="whitespace-nowrap">
      {timeText(at, day ? 'day' : 'moment', lang)}
    </time>
  )
}
