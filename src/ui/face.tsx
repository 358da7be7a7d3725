import { mediaPath } from '../files/routes.ts'

/** The portraits of the demo are drawn on request; others are uploads. */
export const photoPath = (photo: string): string => (photo.startsWith('/') ? photo : mediaPath(photo))

export function Face({ name, photo, large }: { name: string; photo: string | null; large?: boolean }) {
  const size = large ? 'size-20 text-2xl' : 'size-9 text-sm'
  if (photo) return <img src={photoPath(photo)} alt="" class={`${size} shrink-0 rounded-full object-cover`} />
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  return (
    <span
      aria-hidden="true"
      class={`${size} grid shrink-0 place-items-center rounded-full bg-primary/15 font-semibold text-primary`}
    >
      {initials}
    </span>
  )
}
