import type { Coverage } from '../criteria.ts'
import { type Digest, digestOf } from './digest.ts'
import type { Engine } from './engine.ts'
import type { Wanted } from './wanted.ts'
import { hex64 } from './words64.ts'

/** Count and hash of all that is covered. */
export function digestIn(engine: Engine, { viewer, scope, filters }: Coverage, wanted: Wanted): Digest {
  const isAll = scope === 'all' && Object.keys(filters).length === 0
  return isAll
    ? visibleDigest(engine, viewer)
    : digestOf(engine.select(filters, viewer, scope, wanted), engine.ids, engine.hashes)
}

/** Kept for everybody; only the viewer's own that others do not see are added up. */
function visibleDigest(engine: Engine, viewer: string): Digest {
  const digest = engine.shownDigest.copy()
  for (const slot of engine.slotsOf(viewer)?.slots() ?? []) {
    const isHidden = engine.live.has(slot) && !engine.shown.has(slot)
    if (isHidden) digest.add(engine.ids.prefix(slot), engine.hashes.get(slot))
  }
  return digest
}

/** Those whose ids begin with that byte, by id. */
export function versionsIn(
  engine: Engine,
  { viewer, scope, filters }: Coverage,
  wanted: Wanted,
  prefix: number,
): { id: string; version: string }[] {
  const { ids, versions } = engine
  const hits = engine.select(filters, viewer, scope, wanted)
  hits.keep(slot => ids.prefix(slot) === prefix)
  return [...hits.slots()]
    .sort((a, b) => ids.compare(a, b))
    .map(slot => ({ id: ids.text(slot), version: hex64(versions.get(slot)) }))
}
