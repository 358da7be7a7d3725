import type { Tallies } from './engine/tallies.ts'

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

/** The records are already JSON; serializing them again would dominate the response time. */
export const pageBody = (
  pagination: Record<string, number>,
  facets: Tallies | undefined,
  records: Buffer[],
): Buffer => {
  const counted = facets ? `"facets":${JSON.stringify(facets)},` : ''
  return listBody(records, `"pagination":${JSON.stringify(pagination)},${counted}`)
}

export function listBody(records: Buffer[], before = ''): Buffer {
  const start = Buffer.from(`{${before}"content":[`)
  const parts = records.flatMap((record, i) => (i === 0 ? [record] : [COMMA, record]))
  return Buffer.concat([start, ...parts, END])
}
