import Type from 'typebox'
import { isEmail } from '../lib/email.ts'
import { describe, type Field, oneOf, optional, refined, text } from '../lib/fields.ts'
import { pageParameters } from '../lib/list-page.ts'
import { onOneLine } from '../lib/names.ts'
import { instant } from '../lib/query.ts'
import { Enum, Nullable, NullableNumber, NullableText, Timestamp, Uuid } from '../lib/schemas.ts'
import { fieldsParameter } from '../lib/selection.ts'
import { LIMITS } from '../lookups/catalog.ts'
import {
  ID_STATUSES,
  INTERESTS,
  KINDS,
  LANGS,
  LEAD_STATUSES,
  MAX_NOTE,
  reservedSource,
  TOUR_STATUSES,
} from './rules.ts'

const email = refined(text({ max: 254 }), isEmail, ['not_an_email'], { format: 'email' })
const phone = refined(text({ max: 40 }), one => one.length >= 5, ['too_short', { min: 5 }], {
  minLength: 5,
})
const source = refined(text({ max: 60 }), label => !reservedSource(label), ['reserved'])

/** Any text is accepted: unless it names one of the caller's listings, the lead stays unlinked. */
const propertyId: Field<string> = {
  schema: { type: 'string' },
  read: (value, fail) => (typeof value === 'string' ? value : void fail('not_text')),
}

export const leadFields = {
  name: describe(
    onOneLine({ ...text({ min: 1, max: 200 }), nullable: false } as Field<string>),
    'The person’s name, on one line.',
    'María López',
  ),
  email: optional(describe(email, 'Email address.', 'maria@example.com')),
  phone: optional(describe(phone, 'Phone number, as the person wrote it.', '55 5500 0000')),
  message: optional(describe(text({ max: 5_000 }), 'The inquiry.')),
  property_id: optional(
    describe(propertyId, 'UUID or slug of one of your listings; anything else is left unlinked.'),
  ),
  source: optional(describe(source, 'Your own label; default `api`.')),
}

/** What an agent's own system may change. */
export const leadPatchFields = {
  status: describe(oneOf(LEAD_STATUSES), 'The stage; any may follow any other.', 'contacted'),
  follow_up_at: optional(describe(instant, 'When you mean to get back to the person; null: not planned.')),
  note: optional(
    describe(text({ max: MAX_NOTE }), 'Added to the notes in the portal; no answer contains them.'),
  ),
}

const EXAMPLE = {
  id: '7d9a4c52-1b0e-4a35-8a66-0c5e3f9d2b17',
  listing_id: '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11',
  listing_title: 'Casa con jardín en Coyoacán',
  listing_slug: 'casa-con-jardin-en-coyoacan-k3x9ab',
  name: 'María López',
  email: 'maria@example.com',
  phone: '55 5500 0000',
  message: '¿Sigue disponible? Me gustaría visitarla.',
  source: 'listing-page',
  status: 'new',
  kind: 'tour',
  lang: 'es',
  interest: 'sale',
  budget_min: null,
  budget_max: 9_000_000,
  follow_up_at: null,
  tour_at: '2026-02-07T17:00:00.000Z',
  tour_status: 'requested',
  showing_at: null,
  id_status: 'verified',
  awaiting_id: false,
  created_at: '2026-02-03T09:14:02.771Z',
  updated_at: '2026-02-03T09:14:02.771Z',
}

/** Exactly the documented fields; nothing else is serialized. */
const LEAD = {
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
    description: 'A showing request whose visitor has not completed identification.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const LeadRecord = Type.Object(LEAD, { example: EXAMPLE })

export const leadParameters = {
  updated_since: describe(instant, 'Only leads changed at or after this time.', '2026-01-31T18:00:00.000Z'),
  ...pageParameters(LIMITS.leads),
  fields: fieldsParameter(LeadRecord),
}
