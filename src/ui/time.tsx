import { timeText } from '../lib/time.ts'
import { useReader } from './context.ts'

/** A localized time with a machine-readable `datetime`. */
export function Time({ at, day = false }: { at: Date; day?: boolean }) {
  const { lang } = useReader()
  return (
    <time dateTime={at.toISOString()} class="whitespace-nowrap">
      {timeText(at, day ? 'day' : 'moment', lang)}
    </time>
  )
}
