export const LEAD_STATUSES = [
  'new',
  'contacted',
  'qualified',
  'showing',
  'negotiation',
  'won',
  'lost',
] as const
export const KINDS = ['info', 'tour'] as const
export const LANGS = ['es', 'en'] as const
export const INTERESTS = ['sale', 'rental'] as const
export const TOUR_STATUSES = ['requested', 'confirmed', 'done', 'cancelled', 'no_show'] as const
export const ID_STATUSES = ['verified', 'pending'] as const

/** Showings are asked for this far ahead at most. */
export const SHOWING_DAYS = 90

/** Labels by which the service says where a lead came from; a caller may not pretend to be one of them. */
export const reservedSource = (label: string): boolean =>
  /^(widget|collection):/i.test(label) || /^(site|portal|test)$/i.test(label)
