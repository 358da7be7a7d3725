/** The tags of an If-Match or If-None-Match header as they are written; undefined for `*`, which is any. */
function tagsIn(header: string): string[] | undefined {
  if (header.trim() === '*') return undefined
  return [...header.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag)
}

/** What the client is ready to change, without the quotes; a weak tag never is. Undefined: anything. */
export function expectedTags(ifMatch: string | undefined): string[] | undefined {
  const tags = ifMatch === undefined ? undefined : tagsIn(ifMatch)
  return tags?.filter(tag => !tag.startsWith('W/')).map(tag => tag.slice(1, -1))
}

/** Whether the client has it already. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return tagsIn(ifNoneMatch)?.some(tag => tag.replace('W/', '') === etag) ?? true
}
