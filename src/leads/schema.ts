import Type from 'typebox'
import { isEmail } from '../lib/email.ts'
import { describe, type Field, optional, text } from '../lib/fields.ts'
import { Enum, Nullable, NullableNumber, NullableText, Timestamp, Uuid } from '../lib/schemas.ts'
import {
  ID_STATUSES,
  INTERESTS,
  KINDS,
  LANGS,
  LEAD_STATUSES,
  reservedSource,
  TOUR_STATUSES,
} from './rules.ts'

const email: Field<string | null> = (() => {
  const base = text({ max: 254 })
  return {
    schema: { type: 'string', format: 'email', maxLength: 254 },
    read(value, fail) {
      const clean = base.read(value, fail)
      if (typeof clean === 'string' && !isEmail(clean)) return void fail('must look like name@example.com')
      return clean
    },
  }
})()

const phone: Field<string | null> = (() => {
  const base = text({ max: 40 })
  return {
    schema: { type: 'string', minLength: 5, maxLength: 40 },
    read(value, fail) {
      const clean = base.read(value, fail)
      if (typeof clean === 'string' && clean.length < 5) return void fail('must be at least 5 characters')
      return clean
    },
  }
})()

const source: Field<string | null> = (() => {
  const base = text({ max: 60 })
  return {
    schema: { type: 'string', maxLength: 60 },
    read(value, fail) {
      const clean = base.read(value, fail)
      if (typeof clean === 'string' && reservedSource(clean))
        return void fail('must not be a name the service itself uses')
      return clean
    },
  }
})()

export const leadFields = {
  name: describe(
    { ...text({ min: 1, max: 200 }), nullable: false } as Field<string>,
    'Who is asking.',
    'María López',
  ),
  email: optional(email),
  phone: optional(phone),
  message: optional(text({ max: 5_000 })),
  property_id: optional(
    describe(text({ max: 200 }), 'UUID or slug of one of your listings; anything else is left unlinked.'),
  ),
  source: optional(describe(source, 'Your own label; `api` when not given.')),
}

/** Exactly the documented fields: what is not named here leaves no handler. */
export const LeadRecord = Type.Object({
  id: Uuid,
  listing_id: Nullable(Uuid),
  listing_title: NullableText,
  listing_slug: NullableText,
  name: Type.String(),
  email: NullableText,
  phone: NullableText,
  message: NullableText,
  source: Type.String(),
  status: Enum(LEAD_STATUSES),
  kind: Enum(KINDS),
  lang: Enum(LANGS),
  interest: Nullable(Enum(INTERESTS)),
  budget_min: NullableNumber,
  budget_max: NullableNumber,
  follow_up_at: Nullable(Timestamp),
  tour_at: Nullable(Timestamp),
  tour_status: Nullable(Enum(TOUR_STATUSES)),
  showing_at: Nullable(Timestamp),
  id_status: Nullable(Enum(ID_STATUSES)),
  awaiting_id: Type.Boolean({
    description: 'A showing request whose buyer has not finished identification.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
