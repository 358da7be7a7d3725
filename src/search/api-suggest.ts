import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { answers } from '../http/openapi.ts'
import { describe, oneOf, text } from '../lib/fields.ts'
import { numberParameter, querySchema, readOrRefuse } from '../lib/query.ts'
import { Content, Enum, Nullable } from '../lib/schemas.ts'
import { KINDS } from './suggest/completions.ts'
import type { Suggestions } from './suggest/service.ts'

const LIMIT = { default: 8, max: 20 }

export const suggestParameters = {
  q: describe(
    text({ max: 200 }),
    'What has been typed so far, at least two characters.',
    'depa en renta en zapo',
  ),
  lang: describe(oneOf(['es', 'en']), 'The language of types and amenities. Default es.', 'es'),
  limit: describe(
    numberParameter({ min: 1, max: LIMIT.max, decimals: 0 }),
    `How many, at most. Default ${LIMIT.default}.`,
    5,
  ),
}

const SuggestionAnswer = Type.Object(
  {
    kind: Enum(KINDS, { description: 'A listing is found by its `source_id`.' }),
    label: Type.String({ description: 'What the end of the text is completed to.' }),
    text: Type.String({ description: 'The whole text, completed, for the search box or for `ask`.' }),
    count: Type.Integer({ description: 'Public listings that the parameters find.' }),
    parameters: Type.Record(Type.String(), Type.String(), {
      description: 'The search for it: parameters of `GET /properties`.',
    }),
    url: Nullable(Type.String({ description: 'The public page of an agent or a listing.' })),
  },
  {
    example: {
      kind: 'place',
      label: 'Zapopan, Jalisco',
      text: 'depa en renta en Zapopan, Jalisco',
      count: 231,
      parameters: { place: 'Zapopan, Jalisco' },
      url: null,
    },
  },
)

/** The same for the API and for pages. */
export async function suggest(suggestions: Suggestions, query: URLSearchParams) {
  const { q, lang = 'es', limit = LIMIT.default } = readOrRefuse(suggestParameters, query)
  return { content: q ? await suggestions.find(q, lang, limit) : [] }
}

export function registerSuggest(app: FastifyInstance, suggestions: Suggestions): void {
  app.get(
    '/suggest',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'suggest',
        summary: 'Complete what is being typed',
        description:
          'Completions for a search box: places, property types, amenities, agents and references of listings that start with the end of the text, at any of their words and whatever the accents. Only public listings count. Names of a large market are up to half a minute old.',
        tags: ['Lookups'],
        querystring: querySchema(suggestParameters),
        response: answers(
          { schema: Content(SuggestionAnswer), description: 'The best completions first; often none.' },
          ['validation'],
        ),
      },
    },
    async request => suggest(suggestions, request.query as URLSearchParams),
  )
}
