import type { Words } from '../../lib/i18n.ts'
import { EVENTS, type EventName } from '../../outbox/store.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge, StatusBadge } from '../../ui/badges.tsx'
import { Checkbox } from '../../ui/forms.tsx'
import type { DeliveryStatus } from '../sender/sender.ts'

const eventWords = (t: Words): Record<EventName, string> => ({
  'lead.created': t('Llega un prospecto', 'A lead arrives'),
  'lead.updated': t('Cambias la etapa de un prospecto', 'You change the stage of a lead'),
  'listing.published': t('Se publica o reconfirma una propiedad', 'A listing is published or reconfirmed'),
  'listing.unpublished': t('Una propiedad deja de estar publicada', 'A listing is no longer published'),
  'listing.updated': t('Editas aquí una propiedad publicada', 'You edit a published listing here'),
  'cooperation.created': t('Se propone una cooperación contigo', 'A cooperation is proposed'),
  'cooperation.updated': t('Una cooperación cambia de estatus', 'A cooperation changes state'),
})

export function EventChoices() {
  const { t } = useVisit()
  const words = eventWords(t)
  return (
    <fieldset class="flex flex-col gap-3">
      <legend class="mb-2 text-sm font-medium">{t('Eventos', 'Events')}</legend>
      {EVENTS.map(event => (
        <Checkbox key={event} name="events" of={event} label={`${words[event]} (${event})`} />
      ))}
    </fieldset>
  )
}

/** Developers of receivers know these texts; the exact code is shown next to them. */
export function LastStatus({ status, code }: { status: string | null; code: number | null }) {
  const { t } = useVisit()
  if (status === null) return <Badge>{t('Sin entregas', 'No deliveries')}</Badge>
  return (
    <span class="tooltip-bottom" title={code === null ? status : String(code)}>
      <StatusBadge of="delivery" status={status as DeliveryStatus}>
        {status}
      </StatusBadge>
    </span>
  )
}
