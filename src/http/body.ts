import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'

export const BODY_LIMIT = 2 * MB
const MAX_DEPTH = 32

/** Deeply nested JSON costs the event loop far more than its size suggests: it is rejected before parsing. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const char = json.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 91 || char === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if (char === 93 || char === 125) depth--
  }
  return false
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Buffer): unknown {
  let json: string
  try {
    json = utf8.decode(bytes)
  } catch {
    throw new Problem('bad_request', { message: 'The body is not valid UTF-8.' })
  }
  if (isTooDeep(json)) {
    throw new Problem('bad_request', { message: `The body is nested more than ${MAX_DEPTH} levels deep.` })
  }
  try {
    return JSON.parse(json)
  } catch {
    throw new Problem('bad_request', { message: 'The body is not valid JSON.' })
  }
}

function isJson(contentType: string): boolean {
  const [media, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map(part => part.trim())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))
  return media === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes no body: anything sent is read up to the limit and ignored. */
    ignoresBody?: boolean
  }
  interface FastifyRequest {
    /** As it was sent; undefined if nothing was. */
    rawBody: Buffer | undefined
  }
}

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawBody', undefined)
  // An ignored body may declare any content type.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.routeOptions.config.ignoresBody) delete request.headers['content-type']
    done()
  })
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (request: FastifyRequest, bytes: Buffer) => {
      request.rawBody = bytes
      if (request.routeOptions.config.ignoresBody) return undefined
      const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
      if (encoding.toLowerCase() !== 'identity' || !isJson(type)) throw new Problem('unsupported_media_type')
      return parseJson(bytes)
    },
  )
}
