import type { FastifyInstance } from 'fastify'
import { renewCalendarKey } from '../../../agents/service.ts'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { DangerButton } from '../../../ui/buttons.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { HOME } from './words.ts'

export function registerSubscription(app: FastifyInstance, { db }: PortalDeps): void {
  formRoute(app, {
    path: '/calendar/renew',
    run: request => renewCalendarKey(db, signedIn(request).id),
    done: ({ visit: { t } }, reply) =>
      goTo(
        reply,
        HOME,
        t(
          'Tu calendario tiene una dirección nueva. La anterior ya no funciona.',
          'Your calendar has a new address. The old one no longer works.',
        ),
      ),
  })
}

export function Subscription({ url }: { url: string }) {
  const { t, agent } = useVisit()
  // Whoever has the address can read the calendar for good, even after leaving the team.
  if (agent?.assistant) return null
  return (
    <Panel title={t('En tu teléfono', 'On your phone')}>
      {agent?.isVerified ? (
        <div class="flex flex-col gap-4 text-sm">
          <p>
            {t(
              'Agrega esta dirección a Google Calendar, Outlook o tu iPhone y tus visitas se actualizarán solas.',
              'Add this address to Google Calendar, Outlook or your iPhone and your showings stay up to date.',
            )}
          </p>
          <Copyable text={url} label={t('Dirección del calendario', 'Calendar address')} stacked />
          <a class="btn" href={url.replace(/^https?:/, 'webcal:')}>
            <Icon name="calendar" />
            {t('Suscribirme', 'Subscribe')}
          </a>
          <p class="text-base-content/75">
            {t(
              'Cualquiera que tenga la dirección puede ver tus visitas: no la compartas.',
              'Anyone with the address can see your showings: do not share it.',
            )}
          </p>
          <div>
            <DangerButton
              action={`${HOME}/renew`}
              label={t('Cambiar la dirección', 'Change the address')}
              question={t(
                'La dirección actual deja de funcionar y tendrás que agregar la nueva.',
                'The current address stops working and you will have to add the new one.',
              )}
              yes={t('Sí, cambiarla', 'Yes, change it')}
            />
          </div>
        </div>
      ) : (
        <p class="text-sm">
          {t(
            'Podrás suscribirte a tu calendario cuando verifiquemos tu licencia.',
            'You can subscribe to your calendar once your license is verified.',
          )}
        </p>
      )}
    </Panel>
  )
}
