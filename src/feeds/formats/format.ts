import type { Static } from 'typebox'
import type { ListingRecord } from '../../listings/schema.ts'

/** The public record, and nothing else of a listing, reaches a format. */
export type Listing = Static<typeof ListingRecord>

/** What a feed says about itself. */
export interface About {
  name: string
  agentName: string
  /** The agent's page. */
  agentUrl: string
}

/** A document written piece by piece: a start, each listing, an end. */
export interface Format {
  type: string
  extension: string
  start(about: About): string
  /** Empty if the format has no place for such a listing. */
  item(listing: Listing): string
  /** Between two items that are not empty. */
  separator: string
  end: string
}
