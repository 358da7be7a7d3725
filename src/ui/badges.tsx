import type { ComponentChildren } from 'preact'

const BADGES = {
  neutral: 'border-transparent bg-base-300 text-base-content',
  info: 'badge-info badge-soft',
  success: 'badge-success badge-soft',
  // Its own colour is too pale to be read as text.
  warning: 'badge-warning',
  error: 'badge-error badge-soft',
  primary: 'badge-primary badge-soft',
}
export type BadgeTone = keyof typeof BADGES

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-sm whitespace-nowrap ${BADGES[tone]}`}>{children}</span>
}
