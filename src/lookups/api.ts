import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { JSON_TYPE, sendContent, sendRecord } from '../http/answers.ts'
import { answers } from '../http/openapi.ts'
import { CURRENCIES } from '../lib/money.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Content, Enum, Shared } from '../lib/schemas.ts'
import { fieldsParameter } from '../lib/selection.ts'
import { AMENITIES } from './amenities.ts'
import {
  API_SORTS,
  apiSorts,
  LIMITS,
  listingStatuses,
  OPERATIONS,
  operations,
  PROPERTY_TYPES,
  propertyTypes,
  RENT_PERIODS,
  rentPeriods,
  STATUSES,
} from './catalog.ts'
import { STATES } from './states.ts'

const META = {
  property_types: propertyTypes,
  statuses: listingStatuses,
  states: STATES.map(state => state.name),
  amenities: AMENITIES.map(amenity => amenity.label),
  currencies: CURRENCIES,
  operations,
  rent_periods: rentPeriods,
  sorts: apiSorts,
  labels: {
    property_types: PROPERTY_TYPES,
    statuses: STATUSES,
    operations: OPERATIONS,
    rent_periods: RENT_PERIODS,
    sorts: API_SORTS,
    states: Object.fromEntries(STATES.map(({ name, official, code }) => [name, { official, code }])),
    amenities: Object.fromEntries(AMENITIES.map(({ label, en, category }) => [label, { en, category }])),
  },
  limits: LIMITS,
}

const META_BYTES = Buffer.from(JSON.stringify(META))

const State = Enum(META.states, {
  $id: 'State',
  description: 'A state of Mexico, as it appears in responses.',
  example: 'Jalisco',
})
const Amenity = Enum(META.amenities, {
  $id: 'Amenity',
  description: 'An amenity, as it appears in responses.',
  example: 'Jardín',
})

const Values = Type.Array(Type.String())
const LabelsByValue = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
}
const Meta = Type.Object(
  {
    property_types: Values,
    statuses: Values,
    states: Type.Array(Shared<string>('State')),
    amenities: Type.Array(Shared<string>('Amenity')),
    currencies: Values,
    operations: Values,
    rent_periods: Values,
    sorts: Values,
    labels: Type.Unsafe<unknown>({
      ...LabelsByValue,
      additionalProperties: LabelsByValue,
      description: 'Display labels, by list and value.',
    }),
    limits: Type.Unsafe<unknown>({ type: 'object', additionalProperties: { type: 'number' } }),
  },
  { example: META },
)

const LocationCount = Type.Object({
  city: Type.String({ example: 'Guadalajara' }),
  state: Shared<string>('State'),
  count: Type.Integer({ example: 412 }),
})

const metaParameters = { fields: fieldsParameter(Meta, []) }
const locationParameters = { fields: fieldsParameter(LocationCount, []) }

interface LookupDeps {
  /** Cities with listings on the market, most listings first. */
  listLocations(limit: number): Promise<Static<typeof LocationCount>[]>
}

export function registerLookups(app: FastifyInstance, { listLocations }: LookupDeps): void {
  const tags = ['Lookups']
  app.addSchema(State)
  app.addSchema(Amenity)

  app.get(
    '/meta',
    {
      config: { etag: true, compression: 'once' },
      schema: {
        operationId: 'getMeta',
        summary: 'Accepted values',
        description:
          'All enumerated values: property types, statuses, states, amenities, currencies, with their labels in Spanish and English, and the limits. No key is needed.',
        tags,
        security: [],
        querystring: querySchema(metaParameters),
        response: answers(
          { schema: Meta, description: 'Types, statuses, states, amenities, currencies …' },
          ['validation'],
          { key: false },
        ),
      },
    },
    async (request, reply) => {
      const { fields } = readOrRefuse(metaParameters, request.query as URLSearchParams)
      reply.header('cache-control', 'public, max-age=3600')
      return fields ? sendRecord(reply, META, fields) : reply.type(JSON_TYPE).send(META_BYTES)
    },
  )

  app.get(
    '/locations',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listLocations',
        summary: 'Cities and states with published inventory',
        description: 'How many published listings each city has, for menus of places.',
        tags,
        querystring: querySchema(locationParameters),
        response: answers(
          {
            schema: Content(LocationCount),
            description: `Most listings first, the top ${LIMITS.locations}.`,
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const { fields } = readOrRefuse(locationParameters, request.query as URLSearchParams)
      return sendContent(reply, await listLocations(LIMITS.locations), fields)
    },
  )
}
