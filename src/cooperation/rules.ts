import { type Field, filled, optional, text } from '../lib/fields.ts'

export const STATES = [
  'proposed',
  'accepted',
  'showing',
  'offer',
  'closed',
  'declined',
  'withdrawn',
  'lost',
  'expired',
] as const
export type State = (typeof STATES)[number]
/** The buyer's agent, who brings the client, and the listing's. */
export const ROLES = ['buyer', 'owner'] as const
export type Role = (typeof ROLES)[number]
export const otherRole = (role: Role): Role => (role === 'buyer' ? 'owner' : 'buyer')

const OPEN: readonly State[] = ['proposed', 'accepted', 'showing', 'offer']
const AGREED: readonly State[] = ['accepted', 'showing', 'offer']
export const isOpen = (state: State): boolean => OPEN.includes(state)

interface Rule {
  in: readonly State[]
  /** `awaited`: whoever has to answer the split on the table; `proposer`: whoever proposed. */
  by: readonly (Role | 'awaited' | 'proposer')[]
  /** The state that follows, if it is another. */
  to?: State
}

/** Who may do what in which state. What is not listed is refused. */
export const RULES = {
  accept: { in: ['proposed'], by: ['awaited'], to: 'accepted' },
  counter: { in: ['proposed'], by: ['awaited'] },
  decline: { in: ['proposed'], by: ['awaited'], to: 'declined' },
  withdraw: { in: ['proposed'], by: ['proposer'], to: 'withdrawn' },
  message: { in: [...OPEN, 'closed'], by: ROLES },
  file: { in: [...OPEN, 'closed'], by: ROLES },
  /** Links one of their own leads, whose identification counts. */
  attach: { in: OPEN, by: ['buyer'] },
  identify: { in: ['accepted', 'showing'], by: ['buyer'] },
  share: { in: OPEN, by: ['buyer'] },
  showing: { in: ['accepted', 'showing'], by: ROLES, to: 'showing' },
  offer: { in: ['showing'], by: ROLES, to: 'offer' },
  close: { in: ['offer'], by: ROLES, to: 'closed' },
  lose: { in: AGREED, by: ROLES, to: 'lost' },
  dispute: { in: STATES, by: ROLES },
  /** What they see beyond the thread. */
  address: { in: [...AGREED, 'closed'], by: ['buyer'] },
  agreement: { in: [...AGREED, 'closed'], by: ROLES },
} as const satisfies Record<string, Rule>
export type Action = keyof typeof RULES
/** The steps that are entries of the thread. */
export type Step = Exclude<Action, 'address' | 'agreement'>

export interface Standing {
  state: State
  awaited: Role | null
  proposed_by: Role
}

export function may(action: Action, { state, awaited, proposed_by }: Standing, role: Role): boolean {
  const rule: Rule = RULES[action]
  if (!rule.in.includes(state)) return false
  if (rule.by.includes(role)) return true
  return (
    (awaited === role && rule.by.includes('awaited')) ||
    (proposed_by === role && rule.by.includes('proposer'))
  )
}

export const stateAfter = (action: Action, state: State): State => (RULES[action] as Rule).to ?? state

export const MAX_PROPOSED = 100
export const MAX_ENTRIES = 1_000
export const MAX_FILES = 20

const split = text({ max: 100 })
const note = optional(text({ max: 2_000 }))

export const proposalFields = {
  lead: optional(text({ max: 36 })),
  client: optional(text({ max: 10 })),
  wish: optional(text({ max: 500 })),
  split: optional(split),
  message: note,
}

/** The client is the need's, and known to its agent only. */
export const offerFields = {
  listing: filled({ max: 36 }),
  split: optional(split),
  message: note,
}
export const NO_CLIENT = '—'

const moment: Field<Date> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, fail) => (value instanceof Date ? value : void fail('not_a_date')),
}

/** What each step needs besides the button. */
export const stepFields = {
  accept: { text: note },
  counter: { split: filled({ max: 100 }), text: note },
  decline: { text: filled({ min: 3, max: 2_000 }) },
  withdraw: { text: note },
  message: { text: filled({ max: 2_000 }) },
  file: { text: note },
  attach: { lead: filled({ max: 36 }) },
  identify: {},
  share: {},
  showing: { showing_at: moment, text: note },
  offer: { text: filled({ max: 2_000 }) },
  close: { text: note },
  lose: { text: filled({ min: 3, max: 2_000 }) },
  dispute: { text: filled({ min: 3, max: 2_000 }) },
} satisfies Record<Step, Record<string, Field<unknown>>>

/** «Rosa Elena Cárdenas» → «R. E. C.» */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap(word => [...word].find(letter => /\p{L}/u.test(letter))?.toUpperCase() ?? [])
    .slice(0, 3)
    .map(letter => `${letter}.`)
    .join(' ') || '—'
