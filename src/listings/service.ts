import { randomUUID } from 'node:crypto'
import { atomically, nested, type Sql, type Tx, violates } from '../db/database.ts'
import { findSetting } from '../db/settings.ts'
import type { Reading } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { uniqueSlug } from '../lib/slug.ts'
import { appendEvent } from '../outbox/store.ts'
import type { ListingFields, ListingPatch } from './fields.ts'
import { fieldChanges, recordChange } from './history.ts'
import { addedImages, type Image, listImages, type NewImage, saveImages, tooManyImages } from './images.ts'
import { planOf } from './plan.ts'
import { folds, publishIssues, searchText, type Transition, transition, visiblePoint } from './rules.ts'
import type { ListingName, ListingRow } from './store.ts'
import * as store from './store.ts'
import type { Precondition } from './version.ts'

export {
  findOnMarket,
  findVisible,
  type ListingName,
  type ListingRow,
  listByIds,
  listNamed,
  listOwn,
  listOwnByIds,
  listPublicBySlug,
  listPublished,
  visibleTo,
} from './store.ts'

/** Origin of a change: portal edits notify the agent's systems, API edits do not. */
type Via = 'api' | 'portal'

/** How a change came about, and which version of the listing it is meant for. */
export interface Change {
  via: Via
  check?: Precondition | undefined
}

/** What was sent for a listing. */
export interface Edit extends Change {
  sent: Reading<ListingPatch>
}

export function createListing(
  db: Sql,
  agentId: string,
  sent: Reading<ListingPatch>,
  via: Via = 'api',
): Promise<ListingRow> {
  const { external_id: externalId } = sent.value
  return uniqueExternalId(db, agentId, externalId, tx => insertListing(tx, agentId, { sent, via }))
}

/** Leaves to the caller what follows if the external id is taken. */
export async function insertListing(tx: Tx, agentId: string, { sent, via }: Edit): Promise<ListingRow> {
  const { fields, images, issues } = planOf(undefined, sent, [])
  refuseIfAny(issues)
  const id = randomUUID()
  await store.insertListing(tx, {
    ...fields,
    ...(await derivedColumns(tx, id, agentId, fields)),
    id,
    agent_id: agentId,
    slug: uniqueSlug(fields.title, 'propiedad'),
  })
  await saveImages(tx, id, [], images)
  await recordChange(tx, id, { via, agentId }, 'create')
  return store.findListing(tx, id)
}

export function updateListing(db: Sql, agentId: string, name: ListingName, edit: Edit): Promise<ListingRow> {
  return uniqueExternalId(db, agentId, edit.sent.value.external_id, async tx =>
    editLocked(tx, await lockOwn(tx, agentId, name, edit.check), edit),
  )
}

/** Changes only what differs; nothing, if nothing does. */
export async function editLocked(tx: Tx, current: ListingRow, { sent, via }: Edit): Promise<ListingRow> {
  const { agent_id: agentId } = current
  const existing = sent.value.images === undefined ? [] : await listImages(tx, current.id)
  const { fields, changed, images, issues } = planOf(current, sent, existing)
  refuseIfAny(issues)

  const imagesChanged = await saveImages(tx, current.id, existing, images)
  const isChanged = imagesChanged || Object.keys(changed).length > 0
  if (isChanged) {
    await store.updateListing(tx, current.id, {
      ...fields,
      ...(await derivedColumns(tx, current.id, agentId, fields)),
    })
    await recordChange(tx, current.id, { via, agentId }, 'edit', {
      ...fieldChanges(current, changed),
      ...(imagesChanged ? { images: [existing.length, images.length] } : {}),
    })
  }
  // Always read again: the locked row may hold images from before the wait for the lock.
  const updated = await store.findListing(tx, current.id)
  if (isChanged && via === 'portal' && updated.status === 'published')
    await notify(tx, 'listing.updated', updated)
  return updated
}

export async function addImages(
  db: Sql,
  agentId: string,
  name: ListingName,
  { sent, via, check }: Change & { sent: Reading<{ urls?: string[] | null | undefined }> },
) {
  return nested(db, async tx => {
    const listing = await lockOwn(tx, agentId, name, check)
    const { urls } = sent.value
    const missing = 'urls' in sent.value ? [] : [issue('urls', 'required')]
    const existing = await listImages(tx, listing.id)
    const wanted = addedImages(existing, urls ?? [])
    refuseIfAny([...sent.issues, ...missing, ...tooManyImages(wanted)])
    await changeImages(tx, listing, { existing, wanted, via })
    return store.findListing(tx, listing.id)
  })
}

/** Replaces the images of a locked listing and records the change. */
export async function changeImages(
  tx: Tx,
  listing: ListingRow,
  { existing, wanted, via }: { existing: Image[]; wanted: (Image | NewImage)[]; via: Via },
): Promise<void> {
  if (!(await saveImages(tx, listing.id, existing, wanted))) return
  await store.stampListing(tx, listing.id)
  await recordChange(tx, listing.id, { via, agentId: listing.agent_id }, 'photos', {
    images: [existing.length, wanted.length],
  })
  if (via === 'portal' && listing.status === 'published') {
    await notify(tx, 'listing.updated', await store.findListing(tx, listing.id))
  }
}

/** Publish (again: reconfirm), unpublish, withdraw, mark sold or rented, in one transaction with the event. */
export async function changeStatus(
  db: Sql,
  agentId: string,
  name: ListingName,
  by: Transition,
  { via, check }: Change = { via: 'api' },
) {
  return nested(db, async tx => {
    const listing = await lockOwn(tx, agentId, name, check)
    const next = transition(listing.status, by)
    if (!next) {
      throw new Problem('forbidden', {
        message: 'The operator suspended this listing; its status cannot be changed.',
      })
    }
    if (next.to === 'published') refuseIfAny(publishIssues(listing))
    const changed = await store.updateStatus(tx, listing.id, next.to)
    const isReconfirmed = by === 'publish' && listing.status === 'published'
    await recordChange(tx, listing.id, { via, agentId }, isReconfirmed ? 'reconfirm' : by)
    if (next.notifies) await notify(tx, next.event, changed)
    return { status: next.to, version: changed.version }
  })
}

// ---- the operator ----------------------------------------------------------------------------------------

export function setFlags(db: Sql, idOrSlug: string, flags: { featured?: boolean; imported?: boolean }) {
  return atomically(db, async tx => {
    const listing = await lockAny(tx, idOrSlug)
    await store.updateFlags(tx, listing.id, flags)
    return { id: listing.id, slug: listing.slug, title: listing.title, ...flags }
  })
}

/** The agent reads the reason in the listing's history. */
export function suspendListing(
  db: Sql,
  idOrSlug: string,
  { operatorId = null, reason }: { operatorId?: string | null; reason?: string } = {},
) {
  return atomically(db, async tx => {
    const listing = await lockAny(tx, idOrSlug)
    if (listing.status === 'suspended') return statusOf(listing)
    const changed = await store.updateStatus(tx, listing.id, 'suspended')
    const why = reason ? { reason: [null, reason] as [unknown, unknown] } : {}
    await recordChange(tx, listing.id, { via: 'operator', agentId: operatorId }, 'suspend', why)
    if (listing.status === 'published') await notify(tx, 'listing.unpublished', changed)
    return statusOf(changed)
  })
}

/** Returns it to the agent as a draft. No event: the suspension already removed it from the public. */
export function liftSuspension(db: Sql, idOrSlug: string, operatorId: string | null = null) {
  return atomically(db, async tx => {
    const listing = await lockAny(tx, idOrSlug)
    if (listing.status !== 'suspended')
      throw new Problem('conflict', { message: `The listing ${listing.slug} is not suspended.` })
    const changed = await store.updateStatus(tx, listing.id, 'draft')
    await recordChange(tx, listing.id, { via: 'operator', agentId: operatorId }, 'lift')
    return statusOf(changed)
  })
}

const statusOf = ({
  id,
  slug,
  title,
  status,
}: Pick<ListingRow, 'id' | 'slug' | 'title'> & { status: string }) => ({
  id,
  slug,
  title,
  status,
})

// ---- shared ----------------------------------------------------------------------------------------------

async function lockAny(tx: Tx, idOrSlug: string) {
  const listing = await store.lockListing(tx, idOrSlug)
  if (!listing) throw new Problem('not_found', { message: `There is no listing ${idOrSlug}.` })
  return listing
}

/**
 * Locks the caller's listing. Another agent's is forbidden, and licensed imports are read-only. The version is checked
 * under the lock, so it still holds when the change is written.
 */
export async function lockOwn(
  tx: Tx,
  agentId: string,
  name: ListingName,
  check?: Precondition,
): Promise<ListingRow> {
  const listing = await store.lockListing(tx, name)
  if (!listing || (listing.imported && listing.agent_id === agentId)) throw new Problem('not_found')
  if (listing.agent_id !== agentId) {
    throw new Problem('forbidden', { message: 'This listing is managed by another agent.' })
  }
  check?.(listing.version)
  return listing
}

async function derivedColumns(tx: Tx, id: string, agentId: string, fields: ListingFields) {
  const point = visiblePoint(await findSetting(tx, 'public_point_key'), id, fields)
  const agent = await store.findAgentNames(tx, agentId)
  return {
    ...folds(fields),
    public_lat: point?.lat ?? null,
    public_lng: point?.lng ?? null,
    search: searchText(fields, agent),
  }
}

/** The unique index decides between concurrent creates; the others get the existing id. */
async function uniqueExternalId<T>(
  db: Sql,
  agentId: string,
  externalId: string | null | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await nested(db, work)
    } catch (error) {
      // Random slug collision, about one in a billion: draw again.
      if (violates(error, 'listings_slug_key')) continue
      if (!externalId || !violates(error, 'listings_external_id')) throw error
    }
    const first = await store.findByExternalId(db, agentId, externalId)
    // Released in the meantime, so it is free.
    if (first) throw externalIdTaken(first)
  }
}

type Namesake = Pick<ListingRow, 'id' | 'slug' | 'status'> & { imported: boolean }

export const externalIdTaken = ({ imported, id, slug, status }: Namesake) =>
  new Problem('conflict', {
    message: imported
      ? 'A listing of yours that is marked as licensed from another MLS has this external_id, and the API does not show it: use another one, or ask the operator to take the mark off.'
      : 'You already have a listing with this external_id: update it with PUT /properties/{id}.',
    issues: [issue('external_id', 'taken')],
    extra: { id, slug, status },
  })

type EventListing = Pick<ListingRow, 'id' | 'agent_id' | 'slug' | 'title' | 'updated_at'> & { status: string }

export const notify = (
  tx: Tx,
  event: 'listing.published' | 'listing.unpublished' | 'listing.updated',
  listing: EventListing,
) =>
  appendEvent(tx, {
    agentId: listing.agent_id,
    event,
    data: { id: listing.id, slug: listing.slug, title: listing.title, status: listing.status },
    createdAt: listing.updated_at,
    channels: ['webhook'],
  })
