import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { findAgent } from '../../agents/directory.ts'
import { formOf } from '../../http/forms.ts'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug } from '../../lib/slug.ts'
import { sendGone } from '../../listings/public/gone.tsx'
import { shownRow } from '../../listings/public/listing.tsx'
import { listingRecord } from '../../listings/record.ts'
import { ContactLinks, ListingCard } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Crumbs, sendSitePage } from '../../site/layout.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../site/visit.ts'
import { type Listing, titleOf } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { type Inquiry, InquiryForm, newInquiry } from '../visitors/inquiry-form.tsx'
import {
  isRefused,
  receiveVisitor,
  statusOf,
  tokenAfter,
  type VisitorDeps,
  type VisitorOrigin,
  type VisitorResult,
} from '../visitors/service.ts'

interface BySlug {
  Params: { slug: string }
}

/** The recipient of a form, as shown on its pages. */
export interface Addressee {
  agent: { name: string; phone: string | null }
  /** Path of the listing or agent, without language. */
  path: string
  title: string
  /** Shown beside the form. */
  about?: ComponentChildren
}

/** The forms of listing and agent pages: submission, errors and confirmation. */
export function registerInquiries(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  registerListingInquiries(app, deps, market, lang)
  registerAgentInquiries(app, deps, lang)
}

const source = 'site' as const

function registerListingInquiries(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { db, publicUrl, visitors } = deps
  const visitAt = (path: string) => visitOf(deps, lang, path)

  /** The public listing, or the usual error page. */
  async function listingOf(request: FastifyRequest<BySlug>) {
    const { slug } = request.params
    const row = await shownRow(db, slug)
    if (!row) return undefined
    const listing = listingRecord(row, null, publicUrl)
    const to: Addressee = {
      agent: listing.agent,
      path: `/propiedades/${slug}`,
      title: titleOf(listing, lang),
      about: <ListingCard listing={listing} eager level={2} />,
    }
    const origin = {
      agentId: row.agent_id,
      listingId: row.id,
      interest: interestIn(listing),
      whereabouts: listing.location,
      source,
    }
    return { to, origin }
  }

  const listingPath = localPath(lang, '/propiedades/:slug')

  app.get<BySlug>(`${listingPath}/contacto`, async (request, reply) => {
    const { slug } = request.params
    const visit = visitAt(`/propiedades/${encodeURIComponent(slug)}/contacto`)
    const found = await listingOf(request)
    if (!found) return sendGone(reply, db, market, visit, slug)
    const inquiry = await newInquiry(deps, lang, found.to.path, {
      showings: true,
      whereabouts: found.origin.whereabouts,
    })
    const kind = (request.query as URLSearchParams).get('kind')
    const values = new URLSearchParams(kind === 'tour' ? { kind } : {})
    return sendContact(reply, visit, found.to, { ...inquiry, values })
  })

  app.post<BySlug>(`${listingPath}/contacto`, async (request, reply) => {
    const { slug } = request.params
    const visit = visitAt(`/propiedades/${encodeURIComponent(slug)}/contacto`)
    const found = await listingOf(request)
    if (!found) return sendGone(reply, db, market, visit, slug)
    const fresh = () =>
      newInquiry(deps, lang, found.to.path, { showings: true, whereabouts: found.origin.whereabouts })
    return receiveInquiry(visitors, { request, reply, visit, fresh, ...found })
  })

  app.get<BySlug>(`${listingPath}/gracias`, async (request, reply) => {
    const { slug } = request.params
    const visit = visitAt(`/propiedades/${encodeURIComponent(slug)}/gracias`)
    const found = await listingOf(request)
    if (!found) return sendGone(reply, db, market, visit, slug)
    return sendThanks(request, reply, visit, found.to)
  })
}

function registerAgentInquiries(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  const { db, visitors } = deps
  const visitAt = (path: string) => visitOf(deps, lang, path)

  async function agentOf({ params: { slug } }: FastifyRequest<BySlug>) {
    const row = isSlug(slug) ? await findAgent(db, slug) : undefined
    if (!row) throw new NoPage(lang)
    const to: Addressee = { agent: row, path: `/agentes/${slug}`, title: row.name }
    return { to, agentId: row.id }
  }

  const agentPath = localPath(lang, '/agentes/:slug')

  app.get<BySlug>(`${agentPath}/contacto`, async (request, reply) => {
    const { to } = await agentOf(request)
    const inquiry = await newInquiry(deps, lang, to.path, { showings: false })
    return sendContact(reply, visitAt(`${to.path}/contacto`), to, inquiry)
  })

  app.post<BySlug>(`${agentPath}/contacto`, async (request, reply) => {
    const { to, agentId } = await agentOf(request)
    const visit = visitAt(`${to.path}/contacto`)
    const fresh = () => newInquiry(deps, lang, to.path, { showings: false })
    return receiveInquiry(visitors, { request, reply, visit, fresh, to, origin: { agentId, source } })
  })

  app.get<BySlug>(`${agentPath}/gracias`, async (request, reply) => {
    const { to } = await agentOf(request)
    return sendThanks(request, reply, visitAt(`${to.path}/gracias`), to)
  })
}

/** Sale or rental, if offered for only one. */
export function interestIn(listing: Pick<Listing, 'operations'> | undefined) {
  const [only, ...others] = listing?.operations ?? []
  return only && others.length === 0 ? only.type : null
}

interface Received {
  request: FastifyRequest
  reply: FastifyReply
  visit: Visit
  to: Addressee
  origin: Omit<VisitorOrigin, 'lang' | 'address'>
  /** The empty form. */
  fresh(): Promise<Inquiry>
}

/** Accepts a form and confirms it, or returns it with everything that was typed. */
export async function receiveInquiry(
  visitors: VisitorDeps,
  { request, reply, visit, to, origin, fresh }: Received,
): Promise<FastifyReply> {
  const form = formOf(request)
  const { lang } = visit
  const result = await receiveVisitor(visitors, form, { ...origin, lang, address: request.ip })
  if (!isRefused(result)) {
    return reply.redirect(`${localPath(lang, `${to.path}/gracias`)}?r=${thanksFor(result)}`, 303)
  }
  if (result.outcome === 'too_many') reply.header('retry-after', result.retryAfter)
  const token = await tokenAfter(visitors, form, result)
  const inquiry = { ...(await fresh()), token, values: form, refused: result }
  return sendContact(reply, visit, to, inquiry, statusOf(result))
}

export function sendContact(
  reply: FastifyReply,
  visit: Visit,
  to: Addressee,
  inquiry: Inquiry,
  status = 200,
) {
  const title = visit.t(`Escríbele a ${to.agent.name}`, `Contact ${to.agent.name}`)
  return sendSitePage(
    reply,
    visit,
    { title: `${title} | Lonja`, description: title, indexed: false, status },
    <Contact to={to} inquiry={inquiry} title={title} />,
  )
}

function Contact({ to, inquiry, title }: { to: Addressee; inquiry: Inquiry; title: string }) {
  const { t } = useVisit()
  const ways = <ContactLinks phone={to.agent.phone} />
  return (
    <div class="wrap pb-16">
      <Crumbs steps={[{ name: to.title, path: to.path }, { name: t('Contacto', 'Contact') }]} />
      <h1 class="page-title">{title}</h1>
      <div class="inquiry-page">
        <div class="inquiry">
          <InquiryForm inquiry={inquiry} {...(to.agent.phone ? { otherWays: ways } : {})} />
        </div>
        {to.about && <aside aria-label={t('La propiedad', 'The property')}>{to.about}</aside>}
      </div>
    </div>
  )
}

/** `unmailed`: the showing link was not sent, so the page says not to wait for it. */
type Thanks = 'info' | 'tour' | 'unmailed' | 'again'

function thanksFor(result: Exclude<VisitorResult, { outcome: 'refused' }>): Thanks {
  if (result.outcome !== 'received') return 'again'
  if (result.lead.kind !== 'tour') return 'info'
  return result.isMailed ? 'tour' : 'unmailed'
}

/** Redirect after POST: reloading does not resubmit. */
export function sendThanks(request: FastifyRequest, reply: FastifyReply, visit: Visit, to: Addressee) {
  const asked = (request.query as URLSearchParams).get('r')
  const kind: Thanks = asked === 'tour' || asked === 'unmailed' || asked === 'again' ? asked : 'info'
  const title =
    kind === 'tour'
      ? visit.t('Solo falta que te identifiques', 'Almost there: identify yourself')
      : kind === 'again'
        ? visit.t('Ya teníamos tu mensaje', 'We already received your message')
        : kind === 'unmailed'
          ? visit.t('Recibimos tu solicitud', 'We received your request')
          : visit.t('Tu mensaje va en camino', 'Your message is on its way')
  return sendSitePage(
    reply,
    visit,
    { title: `${title} | Lonja`, description: title, indexed: false },
    <ThanksPage kind={kind} title={title} to={to} />,
  )
}

function ThanksPage({ kind, title, to }: { kind: Thanks; title: string; to: Addressee }) {
  const { t, to: local } = useVisit()
  const { name, phone } = to.agent
  const words = {
    info: t(
      `${name} lo recibió y te contestará al correo o teléfono que dejaste.`,
      `${name} received it and will reply to the email or phone you left.`,
    ),
    tour: t(
      `Te enviamos un correo con un enlace privado para identificarte. ${name} ya recibió tu solicitud y confirma la visita contigo cuando tu identificación quede revisada. Si no ves el correo en unos minutos, busca en el correo no deseado.`,
      `We emailed you a private link to identify yourself. ${name} has your request and will confirm the showing with you once your identification is reviewed. If you do not see the email in a few minutes, check your spam folder.`,
    ),
    unmailed: t(
      `Para confirmar la visita falta identificarte. Hace poco te enviamos varios correos y por ahora no mandamos más: pídele el enlace a ${name}.`,
      `To confirm the showing you must identify yourself. We recently sent you several emails and cannot send more right now: ask ${name} for the link.`,
    ),
    again: t(
      `Ese formulario ya se había enviado, así que no lo mandamos dos veces. Si quieres decirle algo más a ${name}, vuelve y escríbele de nuevo.`,
      `That form was already sent, so we did not send it twice. To add anything for ${name}, go back and send another message.`,
    ),
  }
  return (
    <div class="wrap py-12">
      <div class="nothing" role="status">
        <Icon name={kind === 'tour' ? 'mail' : 'check'} size={44} />
        <h1>{title}</h1>
        <p class="max-w-prose">{words[kind]}</p>
        <div class="flex flex-wrap justify-center gap-2">
          <a class="btn btn-primary" href={local(kind === 'again' ? `${to.path}/contacto` : to.path)}>
            {kind === 'again' ? t('Enviar otro mensaje', 'Send another message') : t('Volver', 'Go back')}
          </a>
          <a class="btn btn-outline" href={local('/propiedades')}>
            {t('Seguir buscando', 'Keep searching')}
          </a>
        </div>
        {phone && (
          <div class="mt-2">
            <ContactLinks phone={phone} />
          </div>
        )}
      </div>
    </div>
  )
}
