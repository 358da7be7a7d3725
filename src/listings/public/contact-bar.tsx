import { dialed, whatsAppHref } from '../../lib/phone.ts'
import { useVisit } from '../../site/visit.ts'
import { Icon } from '../../ui/icons.tsx'

/** Stays at the bottom of a phone's screen while the listing is read. */
export function ContactBar(props: {
  phone: string | null
  about: string
  showings: boolean
  /** Where the form is. */
  form: string
}) {
  const { phone, about, showings, form } = props
  const { t } = useVisit()
  return (
    <nav class="contact-bar" aria-label={t('Contacto rápido', 'Quick contact')}>
      {phone && (
        <a class="btn btn-primary" href={whatsAppHref(phone, about)} rel="noopener nofollow">
          <Icon name="chat" /> WhatsApp
        </a>
      )}
      {phone && (
        <a class="btn btn-outline" href={`tel:${dialed(phone)}`}>
          <Icon name="phone" /> {t('Llamar', 'Call')}
        </a>
      )}
      <a class="btn btn-outline" href={form} rel="nofollow">
        <Icon name={showings ? 'calendar' : 'mail'} />{' '}
        {showings ? t('Visitar', 'Visit') : t('Escribir', 'Message')}
      </a>
    </nav>
  )
}
