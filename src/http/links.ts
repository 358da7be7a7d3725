/** The same question, continued at the cursor: the value of a `Link` header. */
export function nextLink(publicUrl: string, url: string, query: URLSearchParams, cursor: string): string {
  const [path = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', cursor)
  // Both are allowed as they are: escaped, the points of a polygon would exceed what some clients accept as a header.
  const text = String(parameters).replaceAll('%2C', ',').replaceAll('%3B', ';')
  return `<${publicUrl}${path}?${text}>; rel="next"`
}

export const NEXT_LINK = {
  Link: {
    type: 'string',
    description:
      'If there are more results, `<address>; rel="next"`: the next page. Unlike a page number, it skips nothing when results disappear while you read.',
  },
}
