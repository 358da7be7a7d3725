/** The same question, continued at the cursor: the value of a `Link` header. */
export function nextLink(publicUrl: string, url: string, query: URLSearchParams, cursor: string): string {
  const [path = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  return `<${publicUrl}${path}?${parameters}>; rel="next"`
}

export const NEXT_LINK = {
  Link: {
    type: 'string',
    description:
      'If there are more results, `<address>; rel="next"`: the next page. Unlike a page number, it skips nothing when results disappear while you read.',
  },
}
