import type { FastifyInstance } from 'fastify'
import { type ListingStatus, listingStatuses, STATUSES } from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { OPERATOR } from '../../portal/guard.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, Confirm, Submit } from '../../ui/buttons.tsx'
import { Form, TextArea } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { queryOf } from '../../ui/search-box.tsx'
import { Time } from '../../ui/time.tsx'
import { ListingBadge } from '../portal/words.tsx'
import { listingUrl } from '../record.ts'
import { HOME, MAX_REASON, registerListingActions } from './actions.ts'
import { type ListingForOperator, searchListings } from './store.ts'

export function registerListingsOperator(app: FastifyInstance, deps: PortalDeps): void {
  const { db, publicUrl } = deps
  registerListingActions(app, deps)

  app.get('/operator/listings', OPERATOR, async (request, reply) => {
    const [q, page] = [queryOf(request), pageOf(request)]
    const asked = (request.query as URLSearchParams).get('status') ?? ''
    const status = listingStatuses.find(name => name === asked)
    const found = await searchListings(db, q, { status, ...rangeOf(page) })
    return sendDesk(
      request,
      reply,
      { tab: 'listings' },
      <Listings {...pageFrom(found, page)} {...{ q, status, publicUrl }} />,
    )
  })
}

interface ListingsProps extends PageOf<ListingForOperator> {
  q: string
  status: string | undefined
  publicUrl: string
}

function Listings({ rows: listings, q, status, publicUrl, page, hasMore }: ListingsProps) {
  const { t, lang } = useVisit()
  return (
    <Panel>
      <form method="get" action={HOME} class="flex flex-wrap gap-2">
        <input
          type="search"
          name="q"
          value={q}
          aria-label={t('Título, slug o id', 'Title, slug or id')}
          placeholder={t('Título, slug o id', 'Title, slug or id')}
          class="input min-w-0 flex-1 basis-60"
          maxLength={100}
        />
        <select name="status" aria-label={t('Estatus', 'Status')} class="select w-auto">
          <option value="">{t('Todos los estatus', 'All statuses')}</option>
          {listingStatuses.map(name => (
            <option key={name} value={name} selected={name === status}>
              {STATUSES[name][lang]}
            </option>
          ))}
        </select>
        <button type="submit" class="btn btn-primary">
          <Icon name="search" />
          {t('Buscar', 'Search')}
        </button>
      </form>
      {listings.length === 0 ? (
        <Empty icon="building" title={t('Sin resultados', 'No results')} />
      ) : (
        <ul class="mt-4 flex flex-col divide-y divide-base-300">
          {listings.map(listing => (
            <Row key={listing.id} listing={listing} publicUrl={publicUrl} />
          ))}
        </ul>
      )}
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref(HOME, { q, status })} />
    </Panel>
  )
}

function Row({ listing, publicUrl }: { listing: ListingForOperator; publicUrl: string }) {
  const { t } = useVisit()
  const path = `${HOME}/${listing.id}`
  const back = { back: `${HOME}?q=${listing.id}` }
  const status = listing.status as ListingStatus
  return (
    <li class="flex flex-col gap-3 py-4 lg:flex-row lg:items-start lg:justify-between">
      <div class="min-w-0">
        <p class="flex flex-wrap items-center gap-2 font-medium">
          <a class="link link-hover min-w-0 break-words" href={listingUrl(publicUrl, listing.slug)}>
            {listing.title}
          </a>
          <ListingBadge status={status} />
          {listing.featured && <Badge tone="primary">{t('Destacada', 'Featured')}</Badge>}
          {listing.imported && <Badge tone="warning">{t('Importada', 'Imported')}</Badge>}
        </p>
        <p class="mt-1 text-sm break-words text-base-content/70">
          {listing.city}, {listing.state} ·{' '}
          <a class="link link-hover" href={`/portal/operator/agents/${listing.agent_id}`}>
            {listing.agent}
          </a>{' '}
          · <Time at={listing.updated_at} />
        </p>
      </div>
      <div class="flex flex-wrap items-start gap-2 lg:shrink-0 lg:flex-nowrap">
        <ActionButton action={`${path}/${listing.featured ? 'unfeature' : 'feature'}`} fields={back}>
          {listing.featured ? t('Quitar destacado', 'Unfeature') : t('Destacar', 'Feature')}
        </ActionButton>
        <ActionButton action={`${path}/${listing.imported ? 'unimport' : 'import'}`} fields={back}>
          {listing.imported
            ? t('Quitar marca de importada', 'Unmark as imported')
            : t('Marcar como importada', 'Mark as imported')}
        </ActionButton>
        {status === 'suspended' ? (
          <ActionButton action={`${path}/lift`} fields={back}>
            {t('Levantar suspensión', 'Lift suspension')}
          </ActionButton>
        ) : (
          <Confirm label={t('Suspender', 'Suspend')}>
            <Form action={`${path}/suspend`} prefix={`suspend-${listing.id}-`} class="flex flex-col gap-3">
              <input type="hidden" name="back" value={back.back} />
              <TextArea
                name="reason"
                label={t('Motivo', 'Reason')}
                rows={3}
                minlength={5}
                maxlength={MAX_REASON}
                required
              />
              <Submit tone="danger" small>
                {t('Suspender', 'Suspend')}
              </Submit>
            </Form>
          </Confirm>
        )}
      </div>
    </li>
  )
}
