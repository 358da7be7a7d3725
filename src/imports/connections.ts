import { randomUUID } from 'node:crypto'
import { lockAgent } from '../agents/service.ts'
import type { Db } from '../db/database.ts'
import { type Field, oneOf, type Patch, readBody, text } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { type SealedBox, sealedBox } from '../lib/sealed-box.ts'
import { isUuid } from '../lib/uuid.ts'
import { type UrlPolicy, urlField } from '../webhooks/sender/url.ts'
import { DAY_MS } from './rules.ts'
import { requireFree } from './service.ts'
import * as sources from './source-store.ts'
import { insertImport, requestWork } from './store.ts'

export { listSources, type Source } from './source-store.ts'

export const MAX_SOURCES = 10

export const openImportBox = (keyText: string): SealedBox => sealedBox(keyText, 'lonja import keys')

const required = (max: number) => ({ ...text({ min: 1, max }), nullable: false }) as Field<string>
const kinds = ['feed', 'easybroker'] as const
const sourceFields = { kind: oneOf(kinds), name: required(80), address: required(2_048) }
type SourcePatch = Patch<typeof sourceFields>

/** `address` is the URL of a feed, or the key of EasyBroker. */
export async function addSource(
  db: Db,
  { box, policy }: { box: SealedBox; policy: UrlPolicy },
  agentId: string,
  sent: Record<keyof SourcePatch, string | null>,
): Promise<string> {
  const { value, issues } = readBody(sourceFields, sent)
  const { kind, name, address } = value
  const isFeed = kind === 'feed'
  const place = isFeed && address ? readBody({ address: urlField(policy) }, { address }) : undefined
  refuseIfAny([...issues, ...(place?.issues ?? [])])
  const id = randomUUID()
  await db.transaction().execute(async tx => {
    await lockAgent(tx, agentId)
    if ((await sources.listSources(tx, agentId)).length >= MAX_SOURCES) {
      throw new Problem('conflict', { issues: [issue('', 'too_many_sources', { max: MAX_SOURCES })] })
    }
    await sources.insertSource(tx, {
      id,
      agent_id: agentId,
      kind: kind as 'feed',
      name: name as string,
      url: place?.value.address?.href ?? null,
      key: isFeed ? null : box.seal(Buffer.from(address as string), id),
    })
  })
  return id
}

async function findOwnSource(db: Db, agentId: string, id: string): Promise<sources.Source> {
  const source = isUuid(id) ? await sources.findSource(db, id) : undefined
  if (source?.agent_id !== agentId) throw new Problem('not_found')
  return source
}

/** What it brought stays. */
export async function removeSource(db: Db, agentId: string, id: string): Promise<void> {
  await findOwnSource(db, agentId, id)
  await db.transaction().execute(tx => sources.deleteSource(tx, id))
}

/** Reads it in the background, as an import like any other. */
export async function readSource(db: Db, agentId: string, id: string, now: Date): Promise<string> {
  const source = await findOwnSource(db, agentId, id)
  return db.transaction().execute(async tx => {
    await lockAgent(tx, agentId)
    await requireFree(tx, agentId, now)
    const importId = randomUUID()
    await insertImport(tx, { id: importId, agent_id: agentId, name: source.name, file: null, source_id: id })
    await sources.updateSource(tx, id, { next_at: new Date(now.getTime() + DAY_MS) })
    await requestWork(tx, importId)
    return importId
  })
}

const DUE_AT_ONCE = 500

/** Every source an agent confirmed once is read daily. One whose agent has an unfinished import waits for the next hour. */
export async function readDueSources(db: Db, now: Date): Promise<number> {
  let started = 0
  for (const { id, agent_id: agentId } of await sources.listDue(db, now, DUE_AT_ONCE)) {
    try {
      await readSource(db, agentId, id, now)
      started++
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  return started
}
