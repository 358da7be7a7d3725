import type { ComponentChildren } from 'preact'
import type { Words } from '../../lib/i18n.ts'
import { phoneText } from '../../lib/phone.ts'
import { useVisit } from '../../portal/context.ts'
import { Icon } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { sourceWords } from '../rules.ts'
import type { LeadRow } from '../service.ts'
import { ContactWays } from './ways.tsx'
import { KindBadges } from './words.tsx'

export function Contact({ lead }: { lead: LeadRow }) {
  const { t } = useVisit()
  const hasWays = lead.phone !== null || lead.email !== null
  return (
    <Panel
      title={t('Contacto', 'Contact')}
      actions={
        <p class="flex flex-wrap gap-1.5">
          <KindBadges lead={lead} />
        </p>
      }
    >
      {!hasWays ? (
        <p class="text-base-content/75">
          {lead.erased_at
            ? t('Los datos de esta persona se eliminaron.', 'This person’s data was erased.')
            : t('No dejó teléfono ni correo.', 'They left no phone or email.')}
        </p>
      ) : (
        <ContactWays person={lead} />
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
