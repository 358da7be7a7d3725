import { hash } from 'node:crypto'
import { agentUrl } from '../agents/record.ts'
import { listListingIds } from '../collections/service.ts'
import type { Db } from '../db/database.ts'
import type { fairTurns } from '../lib/turns.ts'
import { listingRecord } from '../listings/record.ts'
import { findSelected, idsIn, listPublic, type Selected } from '../listings/syndication.ts'
import type { Format } from './formats/format.ts'
import { formatOf } from './formats/index.ts'
import type { LiveFeed } from './store.ts'

/** Raise it when a format changes what it writes: readers must not keep the old document. */
const LAYOUT = 1
/** Listings in memory at a time. */
const PAGE = 250

export interface Content {
  format: Format
  etag: string
  /** Page by page as the reader takes it; each page is the state at that moment, so a listing withdrawn meanwhile is left out. */
  pieces(turns: ReturnType<typeof fairTurns>): AsyncGenerator<string>
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
      let isFirst = true
      yield format.start(about)
      for (let from = 0; from * 16 < ids.length; from += PAGE) {
        const items = await turns.run(feed.id, async () => {
          const rows = await listPublic(db, idsIn(ids, from, PAGE))
          return rows.map(row => format.item(listingRecord(row, null, publicUrl))).filter(item => item !== '')
        })
        if (items.length === 0) continue
        yield (isFirst ? '' : format.separator) + items.join(format.separator)
        isFirst = false
      }
      yield format.end
    },
  }
}

async function selectedBy(db: Db, feed: LiveFeed): Promise<Selected> {
  if (feed.source === 'own') return { agentId: feed.agent_id }
  if (feed.source === 'agency') return { agencyId: feed.agency_id }
  return { ids: await listListingIds(db, feed.collection_id as string) }
}
