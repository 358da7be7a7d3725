import type { Format } from './format.ts'

/** The records of the API, one per line: a reader needs no more memory than one of them. */
export const ndjson: Format = {
  type: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  start: () => '',
  item: listing => `${JSON.stringify(listing)}\n`,
  separator: '',
  end: '',
}
