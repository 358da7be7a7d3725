import type { ComponentChildren } from 'preact'

const BADGES = {
  neutral: 'border-transparent bg-base-300 text-base-content',
  info: 'badge-info badge-soft',
  success: 'badge-success badge-soft',
  // Its own color has too little contrast for text.
  warning: 'badge-warning',
  error: 'badge-error badge-soft',
  primary: 'badge-primary badge-soft',
}
export type BadgeTone = keyof typeof BADGES

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-sm whitespace-nowrap ${BADGES[tone]}`}>{children}</span>
}

/** The color of every status, the same for every viewer. */
const STATUS_TONES = {
  listing: {
    draft: 'neutral',
    published: 'success',
    withdrawn: 'neutral',
    sold: 'primary',
    rented: 'primary',
    expired: 'warning',
    suspended: 'error',
  },
  lead: {
    new: 'info',
    contacted: 'neutral',
    qualified: 'primary',
    showing: 'primary',
    negotiation: 'warning',
    won: 'success',
    lost: 'neutral',
  },
  showing: {
    requested: 'info',
    confirmed: 'success',
    done: 'neutral',
    no_show: 'warning',
    cancelled: 'error',
  },
  identification: { asked: 'neutral', submitted: 'warning', verified: 'success', refused: 'error' },
  cooperation: {
    proposed: 'info',
    accepted: 'primary',
    showing: 'primary',
    offer: 'warning',
    closed: 'success',
    declined: 'error',
    withdrawn: 'neutral',
    lost: 'neutral',
    expired: 'neutral',
  },
  licence: { pending: 'info', verified: 'success', refused: 'error' },
  delivery: { ok: 'success', 'http 4xx': 'error', 'http 5xx': 'error', 'error: delivery failed': 'error' },
} as const satisfies Record<string, Record<string, BadgeTone>>
type Tones = typeof STATUS_TONES

/** A status without a color does not compile. */
export function StatusBadge<Of extends keyof Tones>(props: {
  of: Of
  status: keyof Tones[Of]
  children: ComponentChildren
}) {
  const tones: Record<string, BadgeTone> = STATUS_TONES[props.of]
  return <Badge tone={tones[props.status as string] ?? 'neutral'}>{props.children}</Badge>
}
