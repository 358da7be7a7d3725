import type { FastifyBaseLogger } from 'fastify'
import { findLicenseRequest } from '../agents/licenses/service.ts'
import { agentUrl } from '../agents/record.ts'
import { findRecipient, issueToken } from '../agents/service.ts'
import { findInvitation } from '../agents/teams/service.ts'
import { findStep } from '../cooperation/service.ts'
import type { Db } from '../db/database.ts'
import { isMailStopped, listByListing, sinceOf, sumOf } from '../figures/service.ts'
import { findDueTask, markReminded } from '../leads/contacts/service.ts'
import { findWaiting, issueLink } from '../leads/identification/service.ts'
import { findLead, findVisitor, markNotified } from '../leads/service.ts'
import type { Lang } from '../lib/i18n.ts'
import { unsubscribeToken, unsubscribeUrl } from '../lib/unsubscribe.ts'
import { confirmBefore, lastConfirmedOf } from '../listings/confirmation.ts'
import { listingUrl } from '../listings/record.ts'
import { listPublished } from '../listings/service.ts'
import type { Notices } from '../needs/rules.ts'
import { takeForMail } from '../needs/service.ts'
import type { AlertMail, NoticeRequest } from '../outbox/store.ts'
import { findFailures } from '../webhooks/service.ts'
import { confirmEmail, existsEmail, licenseRefusedEmail, resetEmail } from './account.email.tsx'
import { draftAlert } from './alerts.ts'
import { cooperationEmail } from './cooperation.email.tsx'
import { figuresEmail } from './figures.email.tsx'
import { identificationEmail } from './identification.email.tsx'
import { invitationEmail } from './invitation.email.tsx'
import { leadEmail } from './lead.email.tsx'
import { licenseEmail } from './license.email.tsx'
import { composeMail, type Draft, nameInMail } from './mail.ts'
import type { Mailer } from './mailers.ts'
import { needsEmail } from './needs.email.tsx'
import { reconfirmEmail } from './reconfirm.email.tsx'
import { taskEmail } from './task.email.tsx'
import {
  type Agreed,
  confirmedEmail,
  handedOverEmail,
  identifyEmail,
  inquiryEmail,
  refusedEmail,
} from './visitor.email.tsx'
import { webhookEmail } from './webhook.email.tsx'

export interface NoticeDeps {
  db: Db
  mailer: Mailer
  logger: FastifyBaseLogger
  publicUrl: string
  reconfirmDays: number
  /** Signs the links that end mail without signing in. */
  unsubscribeKey(): Promise<Buffer>
}

type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/** Writes and sends one mail, or nothing if its subject is gone. Throws if the mailer did not accept it. */
export async function sendNotice(deps: NoticeDeps, notice: NoticeRequest, id: string): Promise<void> {
  const { kind } = notice
  const draft =
    notice.agentId === null ? await draftAlert(deps, notice, id) : await draftToAgent(deps, notice, id)
  if (!draft) return
  const where = await deps.mailer.send(composeMail(draft, { id, kind, to: draft.to }))
  await draft.sent?.()
  deps.logger.info({ notice: id, kind }, `mail handed to ${where}`)
}

type AgentNotice = Exclude<NoticeRequest, AlertMail>

/** To the agent, or to the visitor whom the draft names. */
async function draftToAgent(deps: NoticeDeps, notice: AgentNotice, id: string) {
  const found = await findRecipient(deps.db, notice.agentId)
  const agent = found && { ...found, name: nameFor(found) }
  const draft = agent && (await draftOf(deps, notice, agent, id))
  return draft && { ...draft, to: draft.to ?? { name: agent.name, address: agent.email } }
}

/** Empty unless the address is verified: an unverified name may be anything, and a stranger may read it. */
const nameFor = ({ name, email_confirmed_at: provenAt }: Recipient): string =>
  provenAt ? nameInMail(name) : ''

function draftOf(deps: NoticeDeps, { kind, agentId, ids }: AgentNotice, agent: Recipient, id: string) {
  switch (kind) {
    case 'lead':
    case 'showing-requested':
      return draftLead(deps, kind, ids[0] as string, agent.lang)
    case 'reconfirm':
      return draftReconfirm(deps, ids, agent.lang)
    case 'webhook':
      return draftWebhook(deps, ids[0] as string, agent.lang)
    case 'licence': {
      const url = agentUrl(deps.publicUrl, agent.slug)
      return agent.verified_at ? licenseEmail({ name: agent.name, url }, agent.lang) : undefined
    }
    case 'licence-refused':
      return draftRefusal(deps, ids[0] as string, agent)
    case 'confirm':
    case 'reset':
      return draftLink(deps, kind, agentId, agent)
    case 'exists':
      return existsEmail({ name: agent.name, url: `${deps.publicUrl}/portal/sign-in` }, agent.lang)
    case 'cooperation':
      return draftCooperation(deps, ids, agent.lang)
    case 'need-matches':
      return draftMatches(deps, id, { agentId, notices: ids[0] as Notices }, agent.lang)
    case 'figures':
      return draftFigures(deps, agentId, agent.lang)
    case 'invitation':
      return draftInvitation(deps, ids[0] as string, agent.lang)
    case 'task':
      return draftTask(deps, agentId, ids, agent.lang)
    case 'identification':
      return draftIdentification(deps, ids[0] as string, agent.lang)
    case 'inquiry':
    case 'identify':
    case 'identification-refused':
    case 'showing-confirmed':
    case 'handed-over':
      return draftToVisitor(deps, kind, ids[0] as string)
  }
}

async function draftCooperation(
  { db, publicUrl }: NoticeDeps,
  [id = '', entryId = '']: readonly string[],
  lang: Lang,
) {
  const step = await findStep(db, id, Number(entryId))
  if (!step) return undefined
  const { kind, agent_name, listing_title: listing, is_offer: isOffer } = step
  const by = agent_name === null ? null : nameInMail(agent_name)
  return cooperationEmail({ kind, by, listing, isOffer, url: `${publicUrl}/portal/cooperations/${id}` }, lang)
}

const MOST_IN_MAIL = 20

async function draftMatches(
  deps: NoticeDeps,
  id: string,
  about: { agentId: string; notices: Notices },
  lang: Lang,
) {
  const { db, publicUrl } = deps
  const matches = await takeForMail(db, id, about)
  if (matches.length === 0) return undefined
  // A listing that several needs match is named once.
  const found = [...new Map(matches.map(one => [one.slug, one.title]))].map(([slug, title]) => ({
    title,
    url: `${publicUrl}/portal/market/${slug}`,
  }))
  const shown = found.slice(0, MOST_IN_MAIL)
  const token = unsubscribeToken(await deps.unsubscribeKey(), 'needs', about.agentId)
  const content = {
    found: shown,
    more: found.length - shown.length,
    url: `${publicUrl}/portal/needs`,
    unsubscribeUrl: unsubscribeUrl(publicUrl, lang, token),
  }
  return needsEmail(content, lang)
}

const MOST_IN_FIGURES = 5

async function draftFigures({ db, publicUrl, unsubscribeKey }: NoticeDeps, agentId: string, lang: Lang) {
  if (await isMailStopped(db, agentId)) return undefined
  const scope = { agentId, since: sinceOf(Date.now(), 7) }
  const [sum, listings] = await Promise.all([sumOf(db, scope), listByListing(db, scope, MOST_IN_FIGURES)])
  const token = unsubscribeToken(await unsubscribeKey(), 'figures', agentId)
  const about = {
    sum,
    listings: listings.map(({ id, title, views }) => ({
      title,
      views,
      url: `${publicUrl}/portal/listings/${id}`,
    })),
    url: `${publicUrl}/portal/figures`,
    unsubscribeUrl: unsubscribeUrl(publicUrl, lang, token),
  }
  return figuresEmail(about, lang)
}

/** To an address that somebody typed: repeats only names that the operator has seen. */
async function draftInvitation({ db, publicUrl }: NoticeDeps, id: string, lang: Lang) {
  const invitation = await findInvitation(db, id)
  if (!invitation) return undefined
  const about = { by: nameInMail(invitation.by_name), agency: nameInMail(invitation.agency) }
  const to = { name: '', address: invitation.email }
  return { to, ...invitationEmail({ ...about, url: `${publicUrl}/portal/team` }, lang) }
}

async function draftTask(
  { db, publicUrl }: NoticeDeps,
  agentId: string,
  [id = '', dueAt = '']: readonly string[],
  lang: Lang,
): Promise<Draft | undefined> {
  const task = await findDueTask(db, agentId, id, dueAt)
  const lead = task && (await findLead(db, task.lead_id))
  if (!lead) return undefined
  const { email, phone } = lead
  const about = email || phone ? { task: task.text, name: nameInMail(lead.name), email, phone } : null
  const draft = taskEmail({ about, url: `${publicUrl}/portal/contacts/${lead.id}` }, lang)
  return { ...draft, sent: () => markReminded(db, id) }
}

async function draftIdentification({ db, publicUrl }: NoticeDeps, leadId: string, lang: Lang) {
  const waiting = await findWaiting(db, leadId)
  if (!waiting) return undefined
  const { listing_title: listing, tour_at: tourAt, whereabouts } = waiting
  return identificationEmail(
    { listing, tourAt, whereabouts, url: `${publicUrl}/portal/leads/${leadId}` },
    lang,
  )
}

/**
 * To the address entered in a form, which may be a stranger's: repeats nothing that was typed, so the mail cannot carry
 * advertising.
 */
async function draftToVisitor(
  { db, publicUrl }: NoticeDeps,
  kind: 'inquiry' | 'identify' | 'identification-refused' | 'showing-confirmed' | 'handed-over',
  leadId: string,
): Promise<Draft | undefined> {
  const visitor = await findVisitor(db, leadId)
  if (!visitor) return undefined
  const { lang, listing_title: listing, tour_at: tourAt, whereabouts, reason } = visitor
  const about = {
    agent: nameInMail(visitor.agent_name),
    phone: visitor.agent_phone,
    listing,
    tourAt,
    whereabouts,
  }
  const to = { name: '', address: visitor.email }
  if (kind === 'handed-over') return { to, ...handedOverEmail(about, lang) }
  if (kind === 'inquiry') return { to, ...inquiryEmail(about, lang) }
  if (kind === 'showing-confirmed') {
    const agreed = agreedOf(visitor, publicUrl)
    const sent = () => markNotified(db, leadId, agreed?.at as Date)
    return agreed && { to, ...confirmedEmail(agreed, lang), sent }
  }
  if (kind === 'identification-refused')
    return reason ? { to, ...refusedEmail(about, reason, lang) } : undefined
  // The link is created now, so the queue and its tables never hold a working one.
  const token = visitor.tour_status === 'cancelled' ? undefined : await issueLink(db, leadId)
  if (!token) return undefined
  const path = lang === 'en' ? '/en/identification' : '/identificacion'
  return { to, ...identifyEmail(about, `${publicUrl}${path}/${token}`, lang) }
}

type VisitorOfLead = NonNullable<Awaited<ReturnType<typeof findVisitor>>>

/** Undefined if the showing is no longer confirmed, or the visitor was already notified. */
function agreedOf(visitor: VisitorOfLead, publicUrl: string): Agreed | undefined {
  const { showing_at: at, tour_status: status, listing_title: title, listing_slug: slug } = visitor
  if (status !== 'confirmed' || !at || at.getTime() === visitor.told_showing_at?.getTime()) return undefined
  const base = visitor.lang === 'en' ? `${publicUrl}/en` : publicUrl
  const url = slug !== null && visitor.listing_is_public ? listingUrl(base, slug) : null
  const listing = title === null ? null : { title, url }
  return {
    agent: nameInMail(visitor.agent_name),
    phone: visitor.agent_phone,
    at,
    whereabouts: visitor.whereabouts,
    listing,
  }
}

/** The link is created now, so the queue and its tables never hold a working one. */
async function draftLink(
  { db, publicUrl }: NoticeDeps,
  purpose: 'confirm' | 'reset',
  agentId: string,
  { name, lang }: Recipient,
): Promise<Draft> {
  const url = `${publicUrl}/portal/${purpose}?token=${await issueToken(db, agentId, purpose)}`
  return purpose === 'confirm' ? confirmEmail({ name, url }, lang) : resetEmail({ name, url }, lang)
}

async function draftRefusal({ db, publicUrl }: NoticeDeps, id: string, { name, lang }: Recipient) {
  const request = await findLicenseRequest(db, id)
  if (!request?.reason) return undefined
  return licenseRefusedEmail({ name, url: `${publicUrl}/portal/licence`, reason: request.reason }, lang)
}

async function draftLead(
  { db, publicUrl }: NoticeDeps,
  notice: 'lead' | 'showing-requested',
  id: string,
  lang: Lang,
): Promise<Draft | undefined> {
  const lead = await findLead(db, id)
  const isAwaited = notice === 'showing-requested'
  // Identified in the meantime: the other mail says so.
  if (!lead || (isAwaited && !lead.awaiting_id)) return undefined
  const { listing_title: title, listing_slug: slug, tour_at: tourAt } = lead
  const { email, phone, message, kind, source, listing_whereabouts: whereabouts } = lead
  const name = nameInMail(lead.name)
  const listing = title === null || slug === null ? null : { title, url: listingUrl(publicUrl, slug) }
  const url = `${publicUrl}/portal/leads/${id}`
  return leadEmail(
    { name, email, phone, message, kind, source, tourAt, whereabouts, isAwaited, listing, url },
    lang,
  )
}

async function draftReconfirm(
  { db, publicUrl, reconfirmDays }: NoticeDeps,
  ids: readonly string[],
  lang: Lang,
): Promise<Draft | undefined> {
  const listings = await listPublished(db, ids)
  if (listings.length === 0) return undefined
  return reconfirmEmail(
    {
      listings: listings.map(listing => ({
        title: listing.title,
        url: listingUrl(publicUrl, listing.slug),
        hiddenOn: confirmBefore(lastConfirmedOf(listing), reconfirmDays),
      })),
    },
    lang,
  )
}

async function draftWebhook({ db }: NoticeDeps, id: string, lang: Lang): Promise<Draft | undefined> {
  const webhook = await findFailures(db, id)
  if (!webhook) return undefined
  const { host } = new URL(webhook.url)
  const { failures, last_status: status } = webhook
  return webhookEmail({ host, lastStatus: status ?? '', failures, state: stateOf(webhook) }, lang)
}

function stateOf(webhook: NonNullable<Awaited<ReturnType<typeof findFailures>>>) {
  if (!webhook.retries) return 'failing'
  if (!webhook.active && webhook.last_code === 410) return 'gone'
  return webhook.gave_up_at ? 'given up' : 'retrying'
}
