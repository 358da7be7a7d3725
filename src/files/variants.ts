import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import { AVIF_SIDES } from '../lib/photo-sizes.ts'
import { redrawAvif } from './images.ts'
import type { Storage } from './storage.ts'

export const VARIANTS_TASK = 'photo-variants'

/** One at a time, after everything else: encoding AVIF takes one or two seconds of a processor. */
export async function requestVariants(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await sql`select graphile_worker.add_job(${VARIANTS_TASK}, ${JSON.stringify({ id })}::json,
      queue_name => ${VARIANTS_TASK}, priority => 10, max_attempts => 5)`.execute(tx)
}

/** Stores a photo's AVIF files. Repeatable; of a photo that is gone meanwhile, the sweep removes what is left. */
export async function drawVariants(db: Sql, files: Storage, { id }: { id: string }): Promise<void> {
  const full = await files.stream('media', `${id}-full.webp`)
  if (!full) return
  const bytes = await buffer(full.content)
  for (const [size, side] of Object.entries(AVIF_SIDES)) {
    const name = `${id}-${size}.avif`
    if (await files.exists('media', name)) continue
    const content = await redrawAvif(bytes, side)
    await files.put('media', name, content)
    await sql`update uploads set bytes = bytes + ${content.length} where id = ${id}`.execute(db)
  }
}
