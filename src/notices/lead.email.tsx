import type { ComponentChildren } from 'preact'
import { sourceWords } from '../leads/rules.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { phoneText, whatsAppHref } from '../lib/phone.ts'
import { showingText, type Whereabouts } from '../lib/zones.ts'
import { Button, Facts, Layout, Link, Quote, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface LeadNotice {
  name: string
  email: string | null
  phone: string | null
  message: string | null
  kind: 'info' | 'tour'
  source: string
  tourAt: Date | null
  whereabouts: Whereabouts | null
  /** A showing whose visitor is not identified yet. */
  isAwaited: boolean
  listing: { title: string; url: string } | null
  /** The lead in the portal. */
  url: string
}

export function leadEmail(lead: LeadNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const isTour = lead.kind === 'tour'
  const title = lead.isAwaited
    ? t('Solicitud de visita: falta identificarse', 'Showing request: identification pending')
    : isTour
      ? t('Nueva solicitud de visita', 'New showing request')
      : t('Tienes un nuevo prospecto', 'You have a new lead')
  const rows: [string, ComponentChildren][] = [[t('Nombre', 'Name'), lead.name]]
  if (lead.email) rows.push([t('Correo', 'Email'), <Link href={mailto(lead.email)}>{lead.email}</Link>])
  if (lead.phone) rows.push([t('Teléfono', 'Phone'), phoneText(lead.phone)])
  if (lead.listing) {
    rows.push([t('Propiedad', 'Listing'), <Link href={lead.listing.url}>{lead.listing.title}</Link>])
  }
  if (isTour && lead.tourAt)
    rows.push([t('Visita', 'Showing'), showingText(lead.tourAt, lang, lead.whereabouts)])
  rows.push([t('Origen', 'Source'), sourceWords(lead.source, t)])

  const about = lead.listing ? `${lead.name}: ${lead.listing.title}` : lead.name
  return {
    subject: isTour
      ? lead.isAwaited
        ? t(`Visita (falta identificarse): ${about}`, `Showing (identification pending): ${about}`)
        : t(`Visita: ${about}`, `Showing: ${about}`)
      : t(`Nuevo prospecto: ${about}`, `New lead: ${about}`),
    ...(lead.email ? { replyTo: { name: lead.name, address: lead.email } } : {}),
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque se te asignó este prospecto en Lonja.',
          'You are receiving this because this lead was assigned to you on Lonja.',
        )}
      >
        {isTour && (
          <Text>
            {lead.isAwaited
              ? t(
                  'Le enviamos un enlace para identificarse. Te avisaremos cuando lo haga; hasta entonces no confirmes la visita.',
                  'We sent a link to verify their identity. We will let you know when they do; do not confirm the showing until then.',
                )
              : t('La persona ya verificó su identidad.', 'This person’s identity has been verified.')}
          </Text>
        )}
        <Facts rows={rows} />
        {lead.message && <Quote>{lead.message}</Quote>}
        <Button href={lead.url}>{t('Ver el prospecto', 'View the lead')}</Button>
        {lead.phone && (
          <Button href={whatsAppHref(lead.phone)}>{t('Escribir por WhatsApp', 'Message on WhatsApp')}</Button>
        )}
        {lead.email && (
          <Text>{t('Responde a este correo para contestarle.', 'Reply to this email to respond.')}</Text>
        )}
      </Layout>
    ),
  }
}

const mailto = (address: string) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`
