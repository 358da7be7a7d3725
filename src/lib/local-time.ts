/** Date fields of browsers know no zone: what an agent writes there is the time of the centre of Mexico. */
const ZONE = 'America/Mexico_City'

const parts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

/** `2026-03-01T10:30`, as a field of type datetime-local wants it. */
export const toLocal = (at: Date): string => parts.format(at).replace(' ', 'T').slice(0, 16)

/** A date alone means nine in the morning. Undefined if it is no date; `0026`, typed for 2026, is no year of ours. */
export function fromLocal(text: string): Date | undefined {
  const match = /^((?:19|20|21)\d\d-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d)?)?$/.exec(text)
  if (!match) return undefined
  const wanted = `${match[1]}T${match[2] ?? '09:00'}`
  const asUtc = new Date(`${wanted}:00Z`)
  if (Number.isNaN(asUtc.getTime())) return undefined
  // How far the zone is from UTC then; asked once more, because the guess may lie across a change of clocks.
  const offset = (at: Date) => new Date(`${toLocal(at)}:00Z`).getTime() - at.getTime()
  const guess = new Date(asUtc.getTime() - offset(asUtc))
  const at = new Date(asUtc.getTime() - offset(guess))
  // 30 February would have become 2 March.
  return toLocal(at) === wanted ? at : undefined
}
