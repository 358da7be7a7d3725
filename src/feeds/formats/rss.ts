import { cut } from '../../lib/text.ts'
import { XML_START } from '../../lib/xml.ts'
import { element, parent } from './elements.ts'
import type { Format, Listing } from './format.ts'
import { placeOf, pricesOf, typeOf } from './words.ts'

/** With the mark of what was cut off. */
const EXCERPT = 500

const excerptOf = ({ description }: Listing) =>
  cut((description ?? '').replace(/\s+/g, ' ').trim(), EXCERPT - 1)

/** RSS 2.0; the cover is a `media:content`, because an enclosure needs the size of the file. */
export const rss: Format = {
  type: 'application/rss+xml; charset=utf-8',
  extension: 'rss',
  start: ({ name, agentName, agentUrl }) =>
    `${XML_START}<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">\n<channel>${[
      element('title', name),
      element('link', agentUrl),
      element('description', `Propiedades de ${agentName}`),
      element('language', 'es-mx'),
      element('ttl', 60),
    ].join('')}\n`,
  item: listing =>
    parent(
      'item',
      [
        element('title', listing.title),
        element('link', listing.url),
        element('guid', listing.id, { isPermaLink: 'false' }),
        element('pubDate', new Date(listing.published_at ?? listing.created_at).toUTCString()),
        element('category', typeOf(listing)),
        element(
          'description',
          [pricesOf(listing), placeOf(listing), excerptOf(listing)].filter(Boolean).join('. '),
        ),
        ...listing.images.slice(0, 1).map(({ url }) => parent('media:content', '', { url, medium: 'image' })),
      ].join(''),
    ),
  separator: '\n',
  end: '\n</channel></rss>\n',
}
