import type { Words } from '../../lib/i18n.ts'
import { formatAmount } from '../../lib/money.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'
import type { MarketListing } from '../record.ts'

export const HOME = '/portal/market'
export const hrefOf = (query: URLSearchParams): string => (query.size > 0 ? `${HOME}?${query}` : HOME)
export const pathOf = ({ record }: MarketListing): string => `${HOME}/${record.slug}`

export const daysText = (days: number, t: Words): string =>
  days === 0 ? t('hoy', 'today') : days === 1 ? t('1 día', '1 day') : t(`${days} días`, `${days} days`)

export function Marks({ listing }: { listing: MarketListing }) {
  const { t } = useVisit()
  return (
    <span class="flex flex-wrap gap-1.5 empty:hidden">
      {listing.needId && (
        <a href={`/portal/needs/${listing.needId}`}>
          <Badge tone="success">{t('Coincide con tu búsqueda', 'Matches your need')}</Badge>
        </a>
      )}
      {listing.isOwn && <Badge tone="info">{t('Tuya', 'Yours')}</Badge>}
      {!listing.isPublished && <Badge>{t('Sin publicar', 'Not published')}</Badge>}
      {listing.record.exclusive && <Badge tone="primary">{t('Exclusiva', 'Exclusive')}</Badge>}
      {listing.isOptedOut && (
        <Badge tone="warning">{t('No para sitios de otros agentes', 'Not for other agents’ sites')}</Badge>
      )}
    </span>
  )
}

export function Commission({ listing }: { listing: MarketListing }) {
  const { t } = useVisit()
  const { commission, amounts } = listing
  if (commission === null) {
    return <span class="text-base-content/75">{t('No se indica', 'Not stated')}</span>
  }
  return (
    <span class="min-w-0 break-words">
      <strong>{commission}</strong>
      {amounts.length > 0 && <span class="whitespace-nowrap"> = {amounts.join(' · ')}</span>}
    </span>
  )
}

/** Newest first, each as what it was and by how much it moved. */
export function PriceChanges({ listing, most = 10 }: { listing: MarketListing; most?: number }) {
  const { record, priceChanges } = listing
  if (priceChanges.length === 0) return <span>—</span>
  return (
    <ul class="flex flex-col gap-1">
      {priceChanges.slice(0, most).map(({ at, operation, before, after }) => {
        const currency = record.operations.find(one => one.type === operation)?.currency ?? 'MXN'
        const percent = Math.round((after / before - 1) * 1000) / 10
        return (
          <li key={at.getTime()} class="text-sm">
            <span class={percent < 0 ? 'font-medium text-success' : 'font-medium'}>
              {percent > 0 ? '+' : ''}
              {percent}%
            </span>{' '}
            <s class="text-base-content/75">{formatAmount(before, currency)}</s> · <Time at={at} day />
          </li>
        )
      })}
    </ul>
  )
}

export const telephone = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`

/** Ways to reach the listing agent. */
export function Ways({ listing }: { listing: MarketListing }) {
  const { t, agent } = useVisit()
  const { contact, record } = listing
  const about = t(
    `Hola, ${contact.name}. Soy ${agent?.name}. Te escribo por «${record.title}».`,
    `Hello ${contact.name}, this is ${agent?.name}. I am writing about “${record.title}”.`,
  )
  const ways: { href: string; icon: IconName; label: string }[] = []
  if (contact.whatsapp)
    ways.push({
      href: `https://wa.me/${contact.whatsapp}?text=${encodeURIComponent(about)}`,
      icon: 'chat',
      label: 'WhatsApp',
    })
  if (contact.phone)
    ways.push({
      href: telephone(contact.phone),
      icon: 'phone',
      label: t('Llamar', 'Call'),
    })
  const subject = encodeURIComponent(record.title)
  const address = encodeURIComponent(contact.email).replace('%40', '@')
  ways.push({ href: `mailto:${address}?subject=${subject}`, icon: 'mail', label: t('Correo', 'Email') })
  return (
    <span class="flex flex-wrap gap-1.5">
      {ways.map(({ href, icon, label }) => (
        <a
          key={icon}
          class="btn btn-sm"
          href={href}
          aria-label={`${label}: ${contact.name}`}
          {...(icon === 'chat' ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
        >
          <Icon name={icon} class="size-4" />
          {label}
        </a>
      ))}
    </span>
  )
}
