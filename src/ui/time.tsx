import { timeText } from '../lib/time.ts'
import { useReader } from './context.ts'

/** A localized time with a machine-readable `datetime`. */
export function Time({ at, day = false, zone }: { at: Date; day?: boolean; zone?: string }) {
  const { lang } = useReader()
  return (
    <time dateTime={at.toISOString()} class="whitespace-nowrap">
      {timeText(at, day ? 'day' : 'moment', lang, zone)}
    </time>
  )
}
