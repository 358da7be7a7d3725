import type { Format } from './format.ts'

/** The records of the API. */
export const json: Format = {
  type: 'application/json; charset=utf-8',
  extension: 'json',
  start: () => '{"content":[\n',
  item: listing => JSON.stringify(listing),
  separator: ',\n',
  end: '\n]}\n',
}
