/** The tags of an If-Match or If-None-Match header, unparsed; undefined for `*`, which matches any. */
function tagsIn(header: string): string[] | undefined {
  if (header.trim() === '*') return undefined
  return [...header.matchAll(/(?:W\/)?"[^"]*"/g)].map(([tag]) => tag)
}

/** The versions the client accepts to change, without quotes; a weak tag never matches. Undefined: any version. */
export function expectedTags(ifMatch: string | undefined): string[] | undefined {
  const tags = ifMatch === undefined ? undefined : tagsIn(ifMatch)
  return tags?.filter(tag => !tag.startsWith('W/')).map(tag => tag.slice(1, -1))
}

/** Whether the client already has this version. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return tagsIn(ifNoneMatch)?.some(tag => tag.replace('W/', '') === etag) ?? true
}
