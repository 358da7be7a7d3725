import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Db } from '../db/database.ts'
import { JSON_TYPE } from '../http/answers.ts'
import { NEXT_LINK, nextLink } from '../http/links.ts'
import { answers } from '../http/openapi.ts'
import type { Reading } from '../lib/fields.ts'
import { CURRENCIES } from '../lib/money.ts'
import { NotReady, refuseIfAny } from '../lib/problem.ts'
import { querySchema, readQuery } from '../lib/query.ts'
import { Enum, Nullable, Shared } from '../lib/schemas.ts'
import { operations } from '../lookups/catalog.ts'
import { findRate } from '../rates/service.ts'
import { type Asked, answerAsk, readAsk } from './ask.ts'
import type { FacetName } from './engine/tallies.ts'
import { type Extras, extraParameters, facetsParameter, RateAnswer, readExtras } from './extras.ts'
import { readSearch, searchParameters } from './parameters.ts'
import type { Search } from './service.ts'
import { amountsIn } from './typed-prices.ts'
import type { Understood } from './understand/understand.ts'

const Pagination = Type.Object(
  { page: Type.Integer(), pages: Type.Integer(), total: Type.Integer(), limit: Type.Integer() },
  { $id: 'Pagination', example: { page: 1, pages: 18, total: 412, limit: 24 } },
)

const UnderstoodAnswer = Type.Object(
  {
    parameters: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The filters the question was turned into, by parameter name.',
    }),
    pieces: Type.Array(Type.Object({ text: Type.String(), parameter: Type.String(), value: Type.String() }), {
      description: 'Which words of the question became which filter.',
    }),
    text: Type.String({ description: 'What was not understood, searched for as text.' }),
    corrections: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Words found in no listing, and what was searched for instead.',
    }),
    left_out: Nullable(
      Type.String({
        description:
          'Text, or the narrower of several places, dropped because no listing matches it together with the rest; also words after the first 200 characters of `text`.',
      }),
    ),
  },
  { $id: 'Understood' },
)

const tallied = (value: TSchema, note: string) =>
  Type.Optional(
    Type.Object(
      {
        values: Type.Array(Type.Object({ value, count: Type.Integer({ example: 38 }) })),
        other_values: Type.Integer({
          description: 'How many more values there are: only the 50 with the most listings are returned.',
          example: 0,
        }),
      },
      { description: note },
    ),
  )

const FacetsAnswer = Type.Object(
  {
    type: tallied(Type.String({ example: 'house' }), 'Property types.'),
    state: tallied(Type.String({ example: 'Jalisco' }), 'States.'),
    city: tallied(Type.String({ example: 'Guadalajara' }), 'Cities, by their whole name.'),
    neighborhood: tallied(Type.String({ example: 'Providencia' }), 'Neighborhoods, by their whole name.'),
    bedrooms: tallied(Type.Number({ example: 3 }), 'Bedrooms, by the exact number.'),
    features: tallied(
      Type.String({ example: 'Jardín' }),
      'Amenities, each by itself: without those you chose.',
    ),
    price: Type.Optional(
      Type.Object(
        {
          values: Type.Array(
            Type.Object({
              operation: Enum(operations),
              currency: Enum(CURRENCIES),
              min: Type.Number({ example: 2_000_000 }),
              max: Type.Number({ example: 5_000_000 }),
              count: Type.Integer({ example: 38 }),
            }),
          ),
          other_values: Type.Integer({ description: 'Always 0.', example: 0 }),
        },
        { description: 'Prices from `min` to below `max`, for each operation and currency.' },
      ),
    ),
  },
  { $id: 'Facets' },
)

interface SearchDeps {
  db: Db
  search: Search | undefined
  publicUrl: string
}

export function registerSearch(app: FastifyInstance, { db, search, publicUrl }: SearchDeps): void {
  app.addSchema(Pagination)
  app.addSchema(UnderstoodAnswer)
  app.addSchema(FacetsAnswer)
  app.get(
    '/properties',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'searchListings',
        summary: 'Search listings',
        description:
          'Published listings of verified agents, plus your own in any status. All filters must match; an invalid one is rejected, never ignored. To keep a copy, use `GET /changes`, or ask with `updated_since` and `sort=updated` from a few seconds before your latest `updated_at`.',
        tags: ['Listings'],
        querystring: querySchema({ ...searchParameters, ...extraParameters, facets: facetsParameter }),
        response: answers(
          {
            schema: Type.Object({
              understood: Type.Optional(Shared('Understood')),
              pagination: Shared('Pagination'),
              facets: Type.Optional(Shared('Facets')),
              rate: Type.Optional(RateAnswer),
              content: Type.Array(Shared('Listing')),
            }),
            description: 'A page of listings and the exact total.',
            headers: NEXT_LINK,
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const query = request.query as URLSearchParams
      const viewer = request.caller.agentId
      const { ask } = readQuery({ ask: searchParameters.ask }, query).value
      if (!search) throw new NotReady('there is no search')
      const understood = ask && (await understand(db, search, ask, query))
      const extras = await readExtras(db, understood ? withPriceIn(query, understood) : query, viewer)
      const question = { query, viewer, extras, facets: readQuery({ facets: facetsParameter }, query) }
      const answer = understood
        ? await answerQuestion(search, readAsk(query, understood, extras.value), question)
        : await answerSearch(search, question)
      const { cursor, next } = answer
      if (cursor) reply.header('link', nextLink(publicUrl, request.url, pinned(next, extras), cursor))
      const body = extras.rate ? withMember(answer.body, 'rate', extras.rate) : answer.body
      return reply.type(JSON_TYPE).send(body)
    },
  )
}

async function understand(db: Db, search: Search, ask: string, query: URLSearchParams): Promise<Understood> {
  const plain = await search.understand(ask)
  const compared = amountsIn('price_in', plain, query)
  if (compared === plain || (await findRate(db, undefined))) return compared
  return amountsIn('currency', plain, query)
}

function withPriceIn(query: URLSearchParams, { parameters }: Understood): URLSearchParams {
  const all = new URLSearchParams(query)
  const priceIn = parameters.get('price_in')
  if (priceIn) all.set('price_in', priceIn)
  return all
}

interface Question {
  query: URLSearchParams
  viewer: string
  extras: Extras
  facets: Reading<{ facets?: FacetName[] }>
}

async function answerSearch(search: Search, { query, viewer, extras, facets }: Question) {
  const { value, issues, fields } = readSearch(query, extras.value)
  refuseIfAny([...issues, ...extras.issues, ...facets.issues])
  return { ...(await search.page(value, viewer, fields, facets.value.facets)), next: query }
}

/** The next page repeats the search by its parameters: the meaning of a question may change with the market. */
async function answerQuestion(search: Search, asked: Asked, { viewer, extras, facets }: Question) {
  refuseIfAny([...asked.issues, ...extras.issues, ...facets.issues])
  const { body, cursor, leftOut, query: next } = await answerAsk(search, asked, viewer, facets.value.facets)
  const { parameters, pieces, text, corrections } = asked.understood
  const understood = {
    parameters: Object.fromEntries(
      [...new Set(parameters.keys())].map(name => [name, parameters.getAll(name)]),
    ),
    pieces,
    text,
    corrections,
    left_out: leftOut ?? null,
  }
  return { body: withMember(body, 'understood', understood), cursor, next }
}

/** The next page is compared at the same rate, even if there is a newer one by then. */
function pinned(query: URLSearchParams, { rate }: Extras): URLSearchParams {
  const next = new URLSearchParams(query)
  if (rate) next.set('rate_date', rate.date)
  return next
}

const withMember = (body: Buffer, name: string, value: unknown): Buffer =>
  Buffer.concat([Buffer.from(`{"${name}":${JSON.stringify(value)},`), body.subarray(1)])

/** Read-your-writes: the response waits until the index contains the change. */
export function registerOwnWrites(app: FastifyInstance, search: Search): void {
  app.addHook('onSend', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && reply.statusCode < 400) await search.showOwnWrite()
  })
}
