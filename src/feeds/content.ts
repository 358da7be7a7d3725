import { hash } from 'node:crypto'
import { agentUrl } from '../agents/record.ts'
import { listListingIds } from '../collections/service.ts'
import type { Db } from '../db/database.ts'
import { retryRead } from '../db/unavailable.ts'
import type { fairTurns } from '../lib/turns.ts'
import { listingRecord } from '../listings/record.ts'
import type { ListingRow } from '../listings/service.ts'
import { countIn, findSelected, idsIn, listPublic, type Selected } from '../listings/syndication.ts'
import type { Format } from './formats/format.ts'
import { formatOf } from './formats/index.ts'
import type { LiveFeed } from './store.ts'

/** Raise it when a format changes what it writes: readers must not keep the old document. */
const LAYOUT = 1
const PAGE = 250
/** Pages that PostgreSQL prepares while one is sent. One leaves it waiting for the reader, two do not. */
export const PAGES_AHEAD = 2

export interface Content {
  format: Format
  etag: string
  /** Page by page as the reader takes it; each page is the state at that moment, so a listing withdrawn meanwhile is left out. */
  pieces(turns: ReturnType<typeof fairTurns>): AsyncGenerator<Buffer>
}

/** What the feed holds now. The tag is of one snapshot: what is newer than it is sent again at the next read. */
export async function contentOf(db: Db, publicUrl: string, feed: LiveFeed): Promise<Content> {
  const format = formatOf(feed.format)
  const { ids, digest } = await findSelected(db, await selectedBy(db, feed))
  const about = {
    name: feed.name,
    agentName: feed.agent_name,
    agentUrl: agentUrl(publicUrl, feed.agent_slug),
  }
  const parts = JSON.stringify([LAYOUT, feed.format, publicUrl, about, digest])
  return {
    format,
    etag: `W/"${hash('sha256', parts, 'base64url').slice(0, 22)}"`,
    async *pieces(turns) {
      const load = (from: number) =>
        turns.run(feed.id, () => retryRead(() => listPublic(db, idsIn(ids, from, PAGE))))
      yield Buffer.from(format.start(about))
      let isFirst = true
      for await (const page of pagesOf(load, countIn(ids))) {
        const items = page
          .map(row => format.item(listingRecord(row, null, publicUrl)))
          .filter(item => item !== '')
        if (items.length === 0) continue
        yield Buffer.from((isFirst ? '' : format.separator) + items.join(format.separator))
        isFirst = false
      }
      yield Buffer.from(format.end)
    },
  }
}

async function* pagesOf(load: (from: number) => Promise<ListingRow[]>, count: number) {
  const coming: Promise<ListingRow[]>[] = []
  for (let from = 0; from < count; from += PAGE) {
    const page = load(from)
    // Nobody awaits it if the reader leaves first.
    page.catch(() => {})
    coming.push(page)
    if (coming.length > PAGES_AHEAD) yield (await coming.shift()) as ListingRow[]
  }
  for (const page of coming) yield await page
}

async function selectedBy(db: Db, feed: LiveFeed): Promise<Selected> {
  if (feed.source === 'own') return { agentId: feed.agent_id }
  if (feed.source === 'agency') return { agencyId: feed.agency_id }
  return { ids: await listListingIds(db, feed.collection_id as string) }
}
