import { dialed } from '../../lib/phone.ts'
import { useVisit } from '../../portal/context.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'

interface Person {
  name: string
  email: string | null
  phone: string | null
  phone_e164: string | null
  /** Language of the greeting. */
  lang?: string
  listing_title?: string | null
}

/** Greeting in the person's language. */
function greeting(person: Person, agentName: string): string {
  const about = person.listing_title
  return person.lang === 'en'
    ? `Hello ${person.name}, this is ${agentName}. Thanks for asking${about ? ` about “${about}”` : ''}.`
    : `Hola, ${person.name}. Soy ${agentName}. Gracias por preguntar${about ? ` por «${about}»` : ''}.`
}

/** Buttons to call and write to a person. */
export function ContactWays({ person }: { person: Person }) {
  const { t, agent } = useVisit()
  const text = encodeURIComponent(greeting(person, agent?.name ?? ''))
  const phone = person.phone && dialed(person.phone)
  const ways: { href: string; icon: IconName; label: string; isOutside?: boolean }[] = []
  if (phone) ways.push({ href: `tel:${phone}`, icon: 'phone', label: t('Llamar', 'Call') })
  if (person.phone_e164) {
    const digits = person.phone_e164.replace(/\D/g, '')
    ways.push({
      href: `https://wa.me/${digits}?text=${text}`,
      icon: 'chat',
      label: 'WhatsApp',
      isOutside: true,
    })
  }
  if (person.email) {
    const subject = encodeURIComponent(person.listing_title ?? 'Lonja')
    const href = `mailto:${encodeURIComponent(person.email).replace('%40', '@')}?subject=${subject}&body=${text}`
    ways.push({ href, icon: 'mail', label: t('Escribir', 'Email') })
  }
  return (
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
  )
}
