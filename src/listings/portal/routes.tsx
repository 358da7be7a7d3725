import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AssetName } from '../../http/assets.ts'
import type { Issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import {
  type ListingStatus,
  listingStatuses,
  type PropertyType,
  propertyTypes,
} from '../../lookups/catalogue.ts'
import { LONG_FORM_BYTES } from '../../portal/guard.ts'
import { goTo, sendFragment, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Refusal } from '../../portal/refusal.ts'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { Icon } from '../../ui/icons.tsx'
import { attempt } from '../../ui/messages.ts'
import { pageOf } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panels.tsx'
import { listHistory } from '../history.ts'
import { applyPatch } from '../rules.ts'
import * as service from '../service.ts'
import { emptyListing, ListingForm } from './form.tsx'
import { HistoryList } from './history.tsx'
import { countInventory, findOwn, type InventoryFilter, listInventory, type OwnListing } from './inventory.ts'
import { ListingList } from './list.tsx'
import { ListingOverview } from './overview.tsx'
import { registerPhotoScreens } from './photo-routes.tsx'
import { PreviewCard } from './preview.tsx'
import { type ById, ownListing, screenOf, withTabs } from './shared.tsx'
import { formValues, readListingForm } from './values.ts'
import { AGENT_TRANSITIONS, type AgentTransition, doneWords } from './words.tsx'

const HISTORY_LIMIT = 500
/** More than a page has, so that nobody waits for a request that was made by hand. */
const BULK_LIMIT = 100

interface ListingScreensDeps extends PortalDeps {
  /** Tiles under the map of the form, if there is a server for them. */
  mapTilesUrl?: string | undefined
}

export function registerListingScreens(app: FastifyInstance, deps: ListingScreensDeps): void {
  const { db, reconfirmDays, mapTilesUrl } = deps
  registerPhotoScreens(app, deps)

  const listingOf = (request: FastifyRequest<ById>) => ownListing(db, request)

  app.get('/listings', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const query = request.query as URLSearchParams
    const filter = filterOf(query)
    const page = pageOf(request)
    const [rows, counts] = await Promise.all([
      listInventory(db, agent.id, { filter, page, reconfirmDays }),
      countInventory(db, agent.id, { filter, reconfirmDays }),
    ])
    const view = query.get('view') === 'cards' ? 'cards' : 'table'
    return sendScreen(
      request,
      reply,
      {
        title: t('Tus propiedades', 'Your listings'),
        section: 'listings',
        assets: ['listings.js'],
        actions: (
          <a class="btn btn-primary" href="/portal/listings/new">
            <Icon name="plus" />
            {t('Nueva propiedad', 'New listing')}
          </a>
        ),
      },
      <ListingList {...{ rows, counts, filter, view, page, reconfirmDays }} now={deps.now()} />,
    )
  })

  app.post('/listings/bulk', async (request, reply) => {
    const { form, visit } = request
    const { t } = visit
    const back = ownPath(form.get('back'), '/portal/listings')
    const ids = [...new Set(form.getAll('id'))].slice(0, BULK_LIMIT)
    if (ids.length === 0) {
      const text = t('Primero selecciona alguna propiedad.', 'Select some listings first.')
      return goTo(reply, back, { kind: 'warning', text })
    }
    const action = form.get('action') ?? ''
    const by = action === 'reconfirm' ? 'publish' : action
    if (!isAgentTransition(by)) throw new Problem('bad_request')
    requireLicence(request, by)
    const { done, refused } = await changeAll(signedIn(request).id, ids, by, action === 'reconfirm')
    const parts = [
      done > 0 ? t(`Listo: ${done}.`, `Done: ${done}.`) : '',
      refused > 0
        ? t(
            `Sin cambio: ${refused} (por su estado, o porque les falta el precio).`,
            `Unchanged: ${refused} (because of their status, or for want of a price).`,
          )
        : '',
    ]
    return goTo(reply, back, {
      kind: refused > 0 ? 'warning' : 'success',
      text: parts.filter(Boolean).join(' '),
    })
  })

  /** One by one, each in its own transaction: what cannot be does not hold up the rest. */
  async function changeAll(agentId: string, ids: string[], by: AgentTransition, onlyPublished: boolean) {
    let done = 0
    for (const id of ids) {
      const listing = await findOwn(db, agentId, id)
      if (!listing || (onlyPublished && listing.status !== 'published')) continue
      if (await changed(agentId, listing, by)) done++
    }
    return { done, refused: ids.length - done }
  }

  async function changed(agentId: string, { id, status }: OwnListing, by: AgentTransition): Promise<boolean> {
    if (status === 'suspended') return false
    const result = await attempt(() => service.changeStatus(db, agentId, id, by, 'portal'))
    return !result.errors
  }

  app.get('/listings/new', async (request, reply) => sendNew(request, reply, {}))

  app.post('/listings/new', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const { form, visit } = request
    const agent = signedIn(request)
    const sent = readListingForm(form)
    const created = await attempt(() => service.createListing(db, agent.id, sent, 'portal'))
    if (created.errors) return sendNew(request, reply, { values: form, errors: created.errors })
    return goTo(
      reply,
      `/portal/listings/${created.value.id}/photos`,
      visit.t('Borrador guardado. Ahora las fotos.', 'Draft saved. Now the photos.'),
    )
  })

  function sendNew(
    request: FastifyRequest,
    reply: FastifyReply,
    { values, errors }: { values?: URLSearchParams; errors?: readonly Issue[] },
  ) {
    const { t } = request.visit
    const fields = values
      ? applyPatch(undefined, readListingForm(values).value, 'draft').fields
      : emptyListing()
    return sendScreen(
      request,
      reply,
      {
        title: t('Nueva propiedad', 'New listing'),
        section: 'listings',
        subtitle: t('Se guarda como borrador.', 'It is saved as a draft.'),
        assets: FORM_ASSETS,
        ...(errors ? { status: 422 } : {}),
      },
      <ListingForm
        action="/portal/listings/new"
        previewAction="/portal/listings/new/preview"
        values={values ?? { ...formValues(fields), property_type: 'house' }}
        errors={errors}
        preview={fields}
        cover={null}
        cancel="/portal/listings"
        mapTilesUrl={mapTilesUrl}
      />,
    )
  }

  app.post<ById>('/listings/:id/preview', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const listing = request.params.id === 'new' ? undefined : await listingOf(request)
    const { fields } = applyPatch(listing, readListingForm(request.form).value, 'draft')
    return sendFragment(request, reply, <PreviewCard fields={fields} cover={listing?.images[0]?.thumb} />)
  })

  app.get<ById>('/listings/:id', async (request, reply) => {
    const listing = await listingOf(request)
    const history = await listHistory(db, listing.id, HISTORY_LIMIT)
    const content = <ListingOverview {...{ listing, history, reconfirmDays }} />
    return sendScreen(request, reply, screenOf(listing), withTabs(listing, 'overview', content))
  })

  app.get<ById>('/listings/:id/history', async (request, reply) => {
    const listing = await listingOf(request)
    const entries = await listHistory(db, listing.id, HISTORY_LIMIT)
    const content = (
      <Panel>
        <HistoryList entries={entries} createdAt={listing.created_at} />
      </Panel>
    )
    return sendScreen(request, reply, screenOf(listing), withTabs(listing, 'history', content))
  })

  app.get<ById>('/listings/:id/edit', async (request, reply) =>
    sendEdit(request, reply, await listingOf(request), {}),
  )

  app.post<ById>('/listings/:id/edit', { bodyLimit: LONG_FORM_BYTES }, async (request, reply) => {
    const { form, visit } = request
    const listing = await listingOf(request)
    const edit = {
      sent: readListingForm(form, listing),
      via: 'portal' as const,
      ifVersions: [form.get('version') ?? ''],
    }
    const saved = await attempt(() => service.updateListing(db, signedIn(request).id, listing.id, edit))
    if (saved.errors) return sendEdit(request, reply, listing, { values: form, errors: saved.errors })
    const text = visit.t('Cambios guardados.', 'Changes saved.')
    return goTo(reply, `/portal/listings/${listing.id}`, text)
  })

  function sendEdit(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: OwnListing,
    { values, errors }: { values?: URLSearchParams; errors?: readonly Issue[] },
  ) {
    const preview = values ? applyPatch(listing, readListingForm(values).value, 'draft').fields : listing
    const content = (
      <ListingForm
        action={`/portal/listings/${listing.id}/edit`}
        previewAction={`/portal/listings/${listing.id}/preview`}
        values={values ?? formValues(listing)}
        errors={errors}
        preview={preview}
        cover={listing.images[0]?.thumb}
        version={values?.get('version') ?? listing.version}
        cancel={`/portal/listings/${listing.id}`}
        mapTilesUrl={mapTilesUrl}
      />
    )
    const screen = { ...screenOf(listing), assets: FORM_ASSETS, ...(errors ? { status: 422 } : {}) }
    return sendScreen(request, reply, screen, withTabs(listing, 'edit', content))
  }

  app.post<ById>('/listings/:id/status', async (request, reply) => {
    const { t } = request.visit
    const listing = await listingOf(request)
    const by = request.form.get('action') ?? ''
    if (!isAgentTransition(by)) throw new Problem('bad_request')
    requireLicence(request, by)
    const path = `/portal/listings/${listing.id}`
    const isDone = await changed(signedIn(request).id, listing, by)
    if (!isDone) {
      const text =
        listing.status === 'suspended'
          ? t('El operador suspendió esta propiedad.', 'The operator suspended this listing.')
          : t('Para publicarla le falta un precio.', 'It needs a price to be published.')
      return goTo(reply, path, { kind: 'error', text })
    }
    const isReconfirmed = by === 'publish' && listing.status === 'published'
    return goTo(reply, path, doneWords(t)[isReconfirmed ? 'reconfirm' : by])
  })
}

const FORM_ASSETS: AssetName[] = ['leaflet.css', 'leaflet.js', 'listing-pin.js']

function filterOf(query: URLSearchParams): InventoryFilter {
  const status = query.get('status') as ListingStatus
  const type = query.get('type') as PropertyType
  return {
    status: listingStatuses.includes(status) ? status : undefined,
    type: propertyTypes.includes(type) ? type : undefined,
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
    reconfirm: query.get('reconfirm') === '1' || undefined,
  }
}

const isAgentTransition = (by: string): by is AgentTransition =>
  (AGENT_TRANSITIONS as readonly string[]).includes(by)

function requireLicence(request: FastifyRequest, by: AgentTransition): void {
  if (by !== 'publish' || signedIn(request).isVerified) return
  const { t } = request.visit
  throw new Refusal(
    'forbidden',
    t(
      'Podrás publicar cuando verifiquemos tu licencia.',
      'You can publish once your licence has been verified.',
    ),
  )
}
