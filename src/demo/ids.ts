import { createHash } from 'node:crypto'

/** A UUID that is stable across demos. */
export function demoId(concept: string, index: number): string {
  const hex = createHash('sha256').update(`${concept} ${index}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
