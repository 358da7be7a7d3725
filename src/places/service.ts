import type { Db, Sql } from '../db/database.ts'
import { foldText } from '../lib/text.ts'
import { roundPoint } from '../listings/location.ts'
import { findMiddle, findOwnPostalCode } from '../listings/neighborhoods.ts'
import { canonicalState } from '../lookups/states.ts'
import { type Address, type Located, type PostalPlace, readPlace } from './rules.ts'
import * as store from './store.ts'

/**
 * Where an address may be: the middle of its colonia, in the imported file or on the market; else that of its postal
 * code, in the file or among the agent's own listings.
 */
export async function locate(db: Sql, agentId: string, address: Address): Promise<Located | undefined> {
  const state = canonicalState(address.state)
  const neighborhood = foldText(address.neighborhood)
  const towns = [address.city, address.municipality].map(foldText).filter(Boolean)
  const postalCode = address.postalCode.trim()
  if (state && neighborhood) {
    const at = { state, towns, neighborhood, postalCode }
    const found = (await store.findColonia(db, at)) ?? (await findMiddle(db, at))
    if (found) return { ...roundPoint(found), by: 'neighborhood' }
  }
  if (!/^\d{5}$/.test(postalCode)) return undefined
  const found =
    (await store.findPostalCode(db, postalCode)) ?? (await findOwnPostalCode(db, agentId, postalCode))
  return found && { ...roundPoint(found), by: 'postal_code' }
}

const BATCH = 5_000

/** Lines that are no places of Mexico are counted, not stored. A file without any changes nothing. */
export async function importPlaces(db: Db, text: string): Promise<{ imported: number; skipped: number }> {
  const lines = text.split(/\r?\n/).filter(Boolean)
  const places = lines.map(readPlace).filter(place => place !== undefined)
  const counts = { imported: places.length, skipped: lines.length - places.length }
  if (places.length > 0) await db.transaction().execute(tx => store.replacePlaces(tx, batchesOf(places)))
  return counts
}

function* batchesOf(places: PostalPlace[]): Generator<PostalPlace[]> {
  for (let from = 0; from < places.length; from += BATCH) yield places.slice(from, from + BATCH)
}
