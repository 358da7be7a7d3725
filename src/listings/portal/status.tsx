import type { FastifyInstance } from 'fastify'
import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton, type Tone } from '../../ui/buttons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { confirmBefore } from '../confirmation.ts'
import type { OwnListing } from './inventory.ts'
import { ownListing } from './shared.tsx'
import { isChanged, readTransition } from './transitions.ts'
import { type AgentTransition, doneWords, ListingBadge } from './words.tsx'

export function registerStatus(app: FastifyInstance, { db }: PortalDeps): void {
  formRoute(app, {
    path: '/listings/:id/status',
    read: async request => {
      const listing = await ownListing(db, request)
      return { listing, by: readTransition(request, request.form.get('action') ?? '') }
    },
    run: (request, { listing, by }) => isChanged(db, signedIn(request).id, listing, by),
    done: ({ visit: { t } }, reply, isDone, { listing, by }) => {
      const path = `/portal/listings/${listing.id}`
      if (!isDone) {
        const text =
          listing.status === 'suspended'
            ? t('El operador suspendió esta propiedad.', 'The operator suspended this listing.')
            : t('Para publicarla le falta un precio.', 'It needs a price to be published.')
        return goTo(reply, path, { kind: 'error', text })
      }
      const isReconfirmed = by === 'publish' && listing.status === 'published'
      return goTo(reply, path, doneWords(t)[isReconfirmed ? 'reconfirm' : by])
    },
  })
}

interface StatusProps {
  listing: OwnListing
  /** Why the operator suspended it. */
  suspension: string | undefined
  reconfirmDays: number
}

interface Action {
  by: AgentTransition
  label: string
  tone?: Tone
}

export function StatusPanel({ listing, suspension, reconfirmDays }: StatusProps) {
  const { t, agent } = useVisit()
  const { status } = listing
  const canPublish = agent?.isVerified ?? false
  const publish = (label: string): Action[] => (canPublish ? [{ by: 'publish', label, tone: 'primary' }] : [])
  const actions: Action[] =
    status === 'suspended'
      ? []
      : status === 'published'
        ? [
            ...publish(t('Reconfirmar', 'Reconfirm')),
            ...(listing.sale_price === null
              ? []
              : [{ by: 'sell' as const, label: t('Marcar como vendida', 'Mark as sold') }]),
            ...(listing.rent_price === null
              ? []
              : [{ by: 'rent' as const, label: t('Marcar como rentada', 'Mark as rented') }]),
            { by: 'unpublish', label: t('Despublicar', 'Unpublish') },
            { by: 'withdraw', label: t('Retirar', 'Withdraw'), tone: 'danger' },
          ]
        : status === 'draft'
          ? [
              ...publish(t('Publicar', 'Publish')),
              { by: 'withdraw', label: t('Retirar', 'Withdraw'), tone: 'danger' },
            ]
          : [
              ...publish(t('Volver a publicar', 'Relist')),
              { by: 'unpublish', label: t('Pasar a borrador', 'Back to draft') },
            ]
  return (
    <Panel title={t('Estatus', 'Status')} actions={<ListingBadge status={status} />}>
      <p class="mb-4 text-sm text-base-content/80">
        <StatusSentence {...{ listing, suspension, reconfirmDays }} />
      </p>
      <div class="flex flex-wrap gap-2">
        {actions.map(({ by, label, tone = 'plain' }) => (
          <ActionButton
            key={by}
            action={`/portal/listings/${listing.id}/status`}
            fields={{ action: by }}
            tone={tone}
          >
            {label}
          </ActionButton>
        ))}
      </div>
    </Panel>
  )
}

function StatusSentence({ listing, suspension, reconfirmDays }: StatusProps) {
  const { t, agent } = useVisit()
  switch (listing.status) {
    case 'published':
      return (
        <>
          {t('Visible en la bolsa. Reconfírmala antes del', 'Visible on the exchange. Reconfirm it by')}{' '}
          <Time at={confirmBefore(listing.confirmed_at, reconfirmDays)} day />{' '}
          {t('para que siga visible.', 'to keep it visible.')}
        </>
      )
    case 'draft':
      return agent?.isVerified
        ? t('Solo tú la ves.', 'Only you can see it.')
        : t(
            'Solo tú la ves. Podrás publicarla cuando verifiquemos tu licencia.',
            'Only you can see it. You can publish it once your license is verified.',
          )
    case 'expired':
      return t(
        'La ocultamos porque pasó mucho tiempo sin reconfirmarse.',
        'We hid it because it was not reconfirmed for a long time.',
      )
    case 'suspended':
      return suspensionWords(suspension, t)
    default:
      return t(
        'Ya no se muestra; la conservamos con su historial.',
        'No longer shown; we keep it and its history.',
      )
  }
}

function suspensionWords(reason: string | undefined, t: Words): string {
  return reason
    ? t(`El operador la suspendió: ${reason}`, `The operator suspended it: ${reason}`)
    : t(
        'El operador la suspendió; escríbele para saber por qué.',
        'The operator suspended it; contact them to find out why.',
      )
}
