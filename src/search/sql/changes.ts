import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Coverage } from '../criteria.ts'
import { type Change, compareSpots, type Spot, type Stretch } from '../engine/changes.ts'
import { Digest } from '../engine/digest.ts'
import { uuidOf, uuidText } from '../engine/ids.ts'
import { wordsOf } from '../engine/words64.ts'
import type { Position } from '../feed/history.ts'
import { covers, oldestUnseen, parseSnapshot, snapshotText } from '../feed/snapshot.ts'
import type { Asked } from './asking.ts'
import type { Condition } from './conditions.ts'

/** What the transaction sees. */
export async function readPosition(tx: Tx): Promise<Position> {
  const { rows } = await sql<{ snapshot: string; history: string }>`
    select pg_current_snapshot()::text as snapshot, token as history from feed_histories order by id desc limit 1`.execute(
    tx,
  )
  const { snapshot, history } = rows[0] as (typeof rows)[number]
  return { snapshot: parseSnapshot(snapshot), history }
}

interface Row {
  id: string
  xid: number
  version: string
  is_put: boolean
}

/** A row's version, as its record shows it under the public address. */
const versionUnder = (address: bigint) => sql`(l.version # ${BigInt.asIntN(64, address).toString()}::bigint)`
const hex = (word: Condition) => sql`lpad(to_hex(${word}), 16, '0')`

/** The first changes in the stretch that concern the viewer, each listing once. */
export async function changesWhere(
  tx: Tx,
  asked: Asked,
  { viewer, scope }: Coverage,
  { stretch, limit }: { stretch: Stretch; limit: number },
  address: bigint,
): Promise<Change[]> {
  const { since, until, after } = stretch
  if (since && covers(since, until)) return []
  const rows = await listingsIn(tx, asked, stretch, limit, address)
  if (since) {
    const { rows: removed } = await sql<Row>`
      select r.listing_id as id, r.change_xid::text::bigint as xid, ${hex(sql`r.version`)} as version, false as is_put
      from listing_removals r
      where ${inStretch('r', stretch)} and ${after ? isAfter(after) : sql`true`}
        and (r.agent_id = ${viewer} ${scope === 'all' ? sql`or r.agent_id is null` : sql``})
        and not exists (select from listings l where l.id = r.listing_id and ${asked.visible})
        -- Of a viewer's own listing that was public, the later of the two counts.
        and not exists (select from listing_removals o
          where o.listing_id = r.listing_id and (o.agent_id = ${viewer} or ${scope === 'all'} and o.agent_id is null)
            and (o.change_xid > r.change_xid or o.change_xid = r.change_xid and o.agent_id is not null and r.agent_id is null))
      order by r.change_xid, r.listing_id desc limit ${limit}`.execute(tx)
    rows.push(...removed)
  }
  return rows.map(changeOf).sort(compareSpots).slice(0, limit)
}

/** Existing listings: in their current state, or as a removal if they may have matched before. */
async function listingsIn(
  tx: Tx,
  { visible, matching, where }: Asked,
  stretch: Stretch,
  limit: number,
  address: bigint,
): Promise<Row[]> {
  const { since, after } = stretch
  const rowsWhere = async (at: Condition, most: number) => {
    const { rows } = await sql<Row>`
      select l.id, l.change_xid::text::bigint as xid, ${hex(versionUnder(address))} as version,
        ${since ? matching : sql`true`} as is_put
      from listings l where ${since ? visible : where} and ${at} and ${inStretch('l', stretch)}
      order by l.change_xid, l.id desc limit ${most}`.execute(tx)
    return rows
  }
  if (!after) return rowsWhere(sql`true`, limit)
  // Apart, so that each is a range of the index: one transaction may have changed a million listings.
  const xid = sql`${String(after.xid)}::xid8`
  const rows = await rowsWhere(sql`l.change_xid = ${xid} and l.id < ${uuidText(after.id)}::uuid`, limit)
  if (rows.length < limit) rows.push(...(await rowsWhere(sql`l.change_xid > ${xid}`, limit - rows.length)))
  return rows
}

/** Seen by the end of the stretch and not by its beginning. The first comparison is for the index. */
function inStretch(row: 'l' | 'r', { since, until }: Stretch): Condition {
  const xid = sql.ref(`${row}.change_xid`)
  const isSeen = sql`pg_visible_in_snapshot(${xid}, ${snapshotText(until)}::pg_snapshot)`
  if (!since) return isSeen
  return sql`${xid} >= ${String(oldestUnseen(since))}::xid8 and ${isSeen}
    and not pg_visible_in_snapshot(${xid}, ${snapshotText(since)}::pg_snapshot)`
}

function isAfter({ xid, id }: Spot): Condition {
  const last = sql`${String(xid)}::xid8`
  return sql`(r.change_xid > ${last} or r.change_xid = ${last} and r.listing_id < ${uuidText(id)}::uuid)`
}

const changeOf = ({ id, xid, version, is_put }: Row): Change => ({
  id: uuidOf(id),
  xid,
  version: wordsOf(BigInt(`0x${version}`)),
  isPut: is_put,
})

/** Count and hash of what is found, by the first byte of the id. */
export async function digestWhere(tx: Tx, where: Condition, address: bigint): Promise<Digest> {
  const text = sql`l.id::text || ':' || ${hex(versionUnder(address))}`
  const { rows } = await sql<{ prefix: number; count: number; word: string }>`
    select get_byte(uuid_send(l.id), 0) as prefix, count(*) as count,
      bit_xor(('x' || left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 16))::bit(64))::text as word
    from listings l where ${where} group by 1`.execute(tx)
  const digest = new Digest()
  for (const { prefix, count, word } of rows) digest.set(prefix, count, wordsOf(BigInt(`0b${word}`)))
  return digest
}

/** Those whose ids begin with that byte, by id. */
export async function versionsWhere(tx: Tx, where: Condition, prefix: number, address: bigint) {
  const start = (byte: number) => `${byte.toString(16).padStart(2, '0')}000000-0000-0000-0000-000000000000`
  const below = prefix < 255 ? sql`and l.id < ${start(prefix + 1)}::uuid` : sql``
  const { rows } = await sql<{ id: string; version: string }>`
    select l.id, ${hex(versionUnder(address))} as version from listings l
    where ${where} and l.id >= ${start(prefix)}::uuid ${below} order by l.id`.execute(tx)
  return rows
}
