import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db, Tx } from '../../db/database.ts'
import type { AddressLimit } from '../../http/rate-limit.ts'
import { type Field, orBlank, type Reading, readBody } from '../../lib/fields.ts'
import type { Lang } from '../../lib/i18n.ts'
import { type Issue, issue } from '../../lib/issue.ts'
import { nameOf } from '../../lib/names.ts'
import { phoneField } from '../../lib/phone.ts'
import { DAY_MS, fromLocal } from '../../lib/time.ts'
import { type Whereabouts, zoneOf } from '../../lib/zones.ts'
import { requestLetter } from '../../outbox/letters.ts'
import { askForIdentification } from '../identification/service.ts'
import { insertIdentification } from '../identification/store.ts'
import { type INTERESTS, SHOWING_DAYS } from '../rules.ts'
import { leadFields } from '../schema.ts'
import { receiveLead } from '../service.ts'
import * as store from '../store.ts'

export { deleteOldUses } from '../store.ts'

/** Edition of the default privacy notice (settings/notice.ts): the day its text last changed. */
export const PRIVACY_EDITION = '2026-11-17'

/** Per ten minutes, the window of http/rate-limit.ts. */
export const FORMS_PER_ADDRESS = 10

export interface VisitorDeps {
  db: Db
  /** Signs forms; the same in every process. */
  formKey(): Promise<Buffer>
  /** Counts forms that create a lead, by visitor IP. */
  forms: AddressLimit
  /** False without a key for identification data. */
  takesShowings: boolean
  /** The edition of the privacy notice that the site showed at that moment. */
  editionAt(at: Date): Promise<string>
  /** Milliseconds. */
  now(): number
  /** Called once for each lead that was received, with its listing. */
  onContact(listingId: string, source: 'site' | 'collection' | 'widget'): void
}

/** The page of a form. The caller has checked that agent and listing are public. */
export interface VisitorOrigin {
  agentId: string
  listingId?: string | null
  /** Sale or rental, if offered for only one. */
  interest?: (typeof INTERESTS)[number] | null
  /** The listing's: the time of a showing is in its zone. */
  whereabouts?: Whereabouts
  source: 'site' | `collection:${string}` | `widget:${string}`
  lang: Lang
  /** The visitor's IP address. */
  address: string
}

/** The form was rejected: it returns to the visitor with everything that was typed. */
export type Refused =
  | { outcome: 'refused'; issues: readonly Issue[] }
  /** Honeypot filled; sent too soon; open too long. */
  | { outcome: 'trapped' | 'too_fast' | 'stale' }
  | { outcome: 'too_many'; retryAfter: number }

export type VisitorResult =
  /** No email if the visitor left no address or was sent several recently. */
  | { outcome: 'received'; lead: store.LeadRow; isMailed: boolean }
  /** This form was already accepted. */
  | { outcome: 'repeated' }
  | Refused

export const isRefused = (result: VisitorResult): result is Refused =>
  result.outcome !== 'received' && result.outcome !== 'repeated'

export const statusOf = ({ outcome }: Refused): 422 | 429 => (outcome === 'too_many' ? 429 : 422)

// ---- the token of a form ---------------------------------------------------------------------------------

export const FORM_FIELD = '_form'
/** Honeypot: bots fill in every field; people do not see this one. */
export const TRAP_FIELD = 'website'

/** Minimum time for a person to fill in the form. */
const LEAST_MS = 2_000
/** Shorter than uses are kept (`deleteOldUses`), so no form is accepted twice. */
const MOST_MS = DAY_MS
export const FORM_USES_DAYS = 2

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Value of the hidden field: render time and a unique id. */
export async function issueForm({ formKey, now }: Pick<VisitorDeps, 'formKey' | 'now'>): Promise<string> {
  const text = `${now().toString(36)}.${randomBytes(16).toString('base64url')}`
  return `${text}.${sign(await formKey(), text)}`
}

/** Age of a form; undefined if the token is not ours. */
async function ageOf(
  { formKey, now }: Pick<VisitorDeps, 'formKey' | 'now'>,
  token: string,
): Promise<number | undefined> {
  const [, text = '', time = '', sent = ''] = /^(([0-9a-z]{1,12})\.[\w-]{22})\.([\w-]{43})$/.exec(token) ?? []
  const right = Buffer.from(sign(await formKey(), text))
  const isOurs = sent.length === right.length && timingSafeEqual(Buffer.from(sent), right)
  return isOurs ? now() - Number.parseInt(time, 36) : undefined
}

/** The notice that the person saw beside this form, which has passed `examineForm`. */
export const seenNotice = ({ editionAt }: Pick<VisitorDeps, 'editionAt'>, form: URLSearchParams) =>
  editionAt(new Date(Number.parseInt(form.get(FORM_FIELD) ?? '', 36)))

/** A rejected form keeps its token unless it has expired. */
export async function tokenAfter(
  deps: Pick<VisitorDeps, 'formKey' | 'now'>,
  form: URLSearchParams,
  refused: Refused,
) {
  return refused.outcome === 'stale' ? issueForm(deps) : (form.get(FORM_FIELD) ?? '')
}

// ---- form fields -----------------------------------------------------------------------------------------

const visitorFields = {
  name: nameOf(leadFields.name),
  email: leadFields.email,
  phone: orBlank(phoneField),
  message: leadFields.message,
} satisfies Record<string, Field<unknown>>

interface Asked {
  sent: Reading<{ name?: string; email?: string | null; phone?: string | null; message?: string | null }>
  tour: { at: Date } | undefined
}

function readForm(deps: VisitorDeps, form: URLSearchParams, origin: VisitorOrigin): Asked {
  const given = (name: string) => form.get(name) ?? ''
  const { value, issues } = readBody(visitorFields, {
    name: given('name'),
    email: given('email'),
    phone: given('phone'),
    message: given('message'),
  })
  const isTour = given('kind') === 'tour'
  if (isTour && value.email === null) issues.push(issue('email', 'email_for_showing'))
  if (!isTour && value.email === null && value.phone === null) issues.push(issue('email', 'email_or_phone'))
  if (isTour && !deps.takesShowings) issues.push(issue('kind', 'unknown_value', { allowed: ['info'] }))
  if (isTour && !origin.listingId) issues.push(issue('listing', 'listing_for_showing'))
  const at = isTour
    ? readMoment(given('date'), given('time'), { now: deps.now(), zone: zoneOf(origin.whereabouts) }, issues)
    : undefined
  if (given('consent') !== 'on') issues.push(issue('consent', 'not_agreed'))
  return { sent: { value: value as Asked['sent']['value'], issues }, tour: at && { at } }
}

function readMoment(
  date: string,
  time: string,
  { now, zone }: { now: number; zone: string },
  issues: Issue[],
): Date | undefined {
  const isTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)
  const at = fromLocal(`${date}T${isTime ? time : '12:00'}`, zone)
  if (!at) issues.push(issue('date', 'not_a_date'))
  else if (at.getTime() > now + SHOWING_DAYS * DAY_MS) {
    issues.push(issue('date', 'too_far_ahead', { days: SHOWING_DAYS }))
  } else if (isTime && at.getTime() <= now) issues.push(issue('date', 'in_the_past'))
  if (!isTime) issues.push(issue('time', 'not_an_hour'))
  return at
}

// ---- submission ------------------------------------------------------------------------------------------

/** With an identification link, for a showing. Rate limited per recipient; beyond that no email is sent. */
function answerByMail(tx: Tx, lead: store.LeadRow, email: string, time: number): Promise<boolean> {
  const now = new Date(time)
  if (lead.kind === 'tour') return askForIdentification(tx, lead, email, now)
  const letter = { kind: 'inquiry', agentId: lead.agent_id, ids: [lead.id] } as const
  return requestLetter(tx, letter, { to: email, isProven: false, now })
}

/** What every form of the public has to pass, before it counts against the IP address. */
export async function examineForm(
  deps: Pick<VisitorDeps, 'formKey' | 'now'>,
  form: URLSearchParams,
  issues: readonly Issue[],
): Promise<Refused | undefined> {
  const age = await ageOf(deps, form.get(FORM_FIELD) ?? '')
  if (age === undefined || age > MOST_MS) return { outcome: 'stale' }
  if (form.get(TRAP_FIELD)) return { outcome: 'trapped' }
  if (issues.length > 0) return { outcome: 'refused', issues }
  return age < LEAST_MS ? { outcome: 'too_fast' } : undefined
}

/** The form was used in the meantime: rolls the transaction back. */
class Used extends Error {}

/**
 * An inquiry or showing request from our forms. A rejected form returns to the visitor as typed; only forms that would
 * create a lead count against the IP address.
 */
export async function receiveVisitor(
  deps: VisitorDeps,
  form: URLSearchParams,
  origin: VisitorOrigin,
): Promise<VisitorResult> {
  const { db, forms } = deps
  const { sent, tour } = readForm(deps, form, origin)
  const refused = await examineForm(deps, form, sent.issues)
  if (refused) return refused
  const hash = createHash('sha256')
    .update(form.get(FORM_FIELD) ?? '')
    .digest()
  if (await store.isFormUsed(db, hash)) return { outcome: 'repeated' }
  const { allowed, retryAfter } = await forms.take(origin.address)
  if (!allowed) return { outcome: 'too_many', retryAfter }

  const notice = await seenNotice(deps, form)
  const work = db.transaction().execute(async tx => {
    const lead = await receiveLead(tx, origin.agentId, sent, {
      source: origin.source,
      lang: origin.lang,
      listingId: origin.listingId ?? null,
      interest: origin.interest ?? null,
      consent: { at: new Date(deps.now()), notice },
      ...(tour ? { tour } : {}),
    })
    if (!(await store.insertFormUse(tx, hash, lead.id))) throw new Used()
    if (tour) await insertIdentification(tx, lead.id)
    return { lead, isMailed: lead.email !== null && (await answerByMail(tx, lead, lead.email, deps.now())) }
  })
  try {
    const received = await work
    const [source] = origin.source.split(':') as ['site' | 'collection' | 'widget']
    if (origin.listingId) deps.onContact(origin.listingId, source)
    return { outcome: 'received', ...received }
  } catch (error) {
    if (error instanceof Used) return { outcome: 'repeated' }
    throw error
  }
}
