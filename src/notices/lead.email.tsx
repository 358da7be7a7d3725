import type { ComponentChildren } from 'preact'
import { sourceWords } from '../leads/rules.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { phoneText, whatsAppHref } from '../lib/phone.ts'
import { timeText } from '../lib/time.ts'
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
  listing: { title: string; url: string } | null
  /** The lead in the portal. */
  url: string
}

export function leadEmail(lead: LeadNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const isTour = lead.kind === 'tour'
  const title = isTour
    ? t('Nueva solicitud de visita', 'New showing request')
    : t('Tienes un nuevo prospecto', 'You have a new lead')
  const rows: [string, ComponentChildren][] = [[t('Nombre', 'Name'), lead.name]]
  if (lead.email) rows.push([t('Correo', 'Email'), <Link href={mailto(lead.email)}>{lead.email}</Link>])
  if (lead.phone) rows.push([t('Teléfono', 'Phone'), phoneText(lead.phone)])
  if (lead.listing) {
    rows.push([t('Propiedad', 'Listing'), <Link href={lead.listing.url}>{lead.listing.title}</Link>])
  }
  if (isTour && lead.tourAt) rows.push([t('Visita', 'Showing'), timeText(lead.tourAt, 'longMoment', lang)])
  rows.push([t('Origen', 'Source'), sourceWords(lead.source, t)])

  const about = lead.listing ? `${lead.name}: ${lead.listing.title}` : lead.name
  return {
    subject: isTour
      ? t(`Visita: ${about}`, `Showing: ${about}`)
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
            {t('La persona ya verificó su identidad.', 'This person’s identity has been verified.')}
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
