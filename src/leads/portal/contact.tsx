import type { ComponentChildren } from 'preact'
import type { Words } from '../../lib/i18n.ts'
import { dialed, phoneText } from '../../lib/phone.ts'
import { useVisit } from '../../portal/context.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { sourceWords } from '../rules.ts'
import type { LeadRow } from '../service.ts'
import { KindBadges } from './words.tsx'

/** Greeting in the person's language. */
function greeting(lead: LeadRow, agentName: string): string {
  const about = lead.listing_title
  return lead.lang === 'en'
    ? `Hello ${lead.name}, this is ${agentName}. Thanks for asking${about ? ` about “${about}”` : ''}.`
    : `Hola, ${lead.name}. Soy ${agentName}. Gracias por preguntar${about ? ` por «${about}»` : ''}.`
}

export function Contact({ lead }: { lead: LeadRow }) {
  const { t, agent } = useVisit()
  const text = encodeURIComponent(greeting(lead, agent?.name ?? ''))
  const phone = lead.phone && dialed(lead.phone)
  const ways: { href: string; icon: IconName; label: string; isOutside?: boolean }[] = []
  if (phone) ways.push({ href: `tel:${phone}`, icon: 'phone', label: t('Llamar', 'Call') })
  if (lead.phone_e164) {
    const digits = lead.phone_e164.replace(/\D/g, '')
    ways.push({
      href: `https://wa.me/${digits}?text=${text}`,
      icon: 'chat',
      label: 'WhatsApp',
      isOutside: true,
    })
  }
  if (lead.email) {
    const subject = encodeURIComponent(lead.listing_title ?? 'Lonja')
    const href = `mailto:${encodeURIComponent(lead.email).replace('%40', '@')}?subject=${subject}&body=${text}`
    ways.push({ href, icon: 'mail', label: t('Escribir', 'Email') })
  }
  return (
    <Panel
      title={t('Contacto', 'Contact')}
      actions={
        <p class="flex flex-wrap gap-1.5">
          <KindBadges lead={lead} />
        </p>
      }
    >
      {ways.length === 0 ? (
        <p class="text-base-content/75">
          {lead.erased_at
            ? t('Los datos de esta persona se eliminaron.', 'This person’s data was erased.')
            : t('No dejó teléfono ni correo.', 'They left no phone or email.')}
        </p>
      ) : (
        <div class="flex flex-wrap gap-2">
          {ways.map(({ href, icon, label, isOutside }) => (
            <a
              key={icon}
              class="btn btn-primary"
              href={href}
              {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
            >
              <Icon name={icon} />
              {label}
            </a>
          ))}
        </div>
      )}
      <dl class="mt-5 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        <Fact term={t('Teléfono', 'Phone')}>{lead.phone && phoneText(lead.phone)}</Fact>
        <Fact term={t('Correo', 'Email')}>{lead.email}</Fact>
        <Fact term={t('Llegó', 'Received')}>
          <Time at={lead.created_at} />
        </Fact>
        <Fact term={t('Origen', 'Source')}>{sourceWords(lead.source, t)}</Fact>
        <Fact term={t('Identificación', 'Identification')}>{identificationWords(lead, t)}</Fact>
        <Fact term={t('Idioma', 'Language')}>{lead.lang === 'en' ? 'English' : 'Español'}</Fact>
        {lead.consent_at && (
          <Fact term={t('Aceptó el aviso de privacidad', 'Agreed to the privacy notice')}>
            <Time at={lead.consent_at} />
          </Fact>
        )}
      </dl>
    </Panel>
  )
}

function identificationWords(lead: LeadRow, t: Words): string {
  if (lead.id_status === 'verified') return t('Verificada', 'Verified')
  if (lead.id_status === 'pending') return t('Pendiente', 'Pending')
  return t('No se pidió', 'Not requested')
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="min-w-0">
      <dt class="text-base-content/75">{term}</dt>
      <dd class="font-medium break-words">{children ?? '—'}</dd>
    </div>
  )
}

export function Message({ lead }: { lead: LeadRow }) {
  const { t, agent } = useVisit()
  return (
    <Panel title={t('Mensaje', 'Message')}>
      <p class="break-words whitespace-pre-line">{lead.message ?? t('Sin mensaje.', 'No message.')}</p>
      {lead.listing_id && (
        <p class="mt-4 border-t border-base-300 pt-4 text-sm">
          <span class="text-base-content/75">{t('Propiedad de interés', 'Interested in')} </span>
          <AboutListing lead={lead} />
        </p>
      )}
      {agent?.isVerified && lead.listing_id && lead.listing_is_own === false && lead.listing_is_public && (
        <a class="btn btn-sm mt-3" href={`/portal/market/${lead.listing_id}/propose?lead=${lead.id}`}>
          <Icon name="handshake" class="size-4" />
          {t('Iniciar una cooperación', 'Start a cooperation')}
        </a>
      )}
    </Panel>
  )
}

/** A link where there is a page to open. */
function AboutListing({ lead }: { lead: LeadRow }) {
  const { listing_title: title, listing_slug: slug } = lead
  if (!lead.listing_is_own && !lead.listing_is_public) return <span class="break-words">{title ?? '—'}</span>
  const href = lead.listing_is_own ? `/portal/listings/${lead.listing_id}` : `/propiedades/${slug}`
  return (
    <a class="link font-medium break-words" href={href}>
      {title}
    </a>
  )
}
