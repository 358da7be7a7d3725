import Type from 'typebox'
import { Nullable, NullableText, Shared, Timestamp, Url, Uuid } from '../lib/schemas.ts'

const name = Type.String({ example: 'Ana Torres' })
const slug = Type.String({ example: 'ana-torres' })
const agencyName = Type.String({ example: 'Torres Inmuebles' })
const agencySlug = Type.String({ example: 'torres-inmuebles' })

export const AgencyRef = Type.Object(
  { name: agencyName, slug: agencySlug, url: Url, logo_url: NullableText },
  { description: 'The agency to display with the agent.' },
)

export const AgentInList = Type.Object({
  id: Uuid,
  name,
  slug,
  url: Url,
  phone: NullableText,
  agency: Nullable(AgencyRef),
  states: Type.Array(Shared<string>('State'), {
    description: 'States in which the agent has published listings.',
  }),
  listings: Type.Integer({ description: 'Published listings visible to everyone.' }),
})

export const AgencyInList = Type.Object({
  id: Uuid,
  name: agencyName,
  slug: agencySlug,
  url: Url,
  logo_url: NullableText,
  agents: Type.Integer({ description: 'Public verified agents of the agency.' }),
})

export const Me = Type.Object({
  name: Type.String({ description: 'Name of the agent the key belongs to.', example: 'Ana Torres' }),
  scopes: Type.Array(Type.String(), {
    description: 'What the key may do: read, write.',
    example: ['read', 'write'],
  }),
  agent: Type.Object({
    id: Uuid,
    name,
    slug,
    url: Url,
    phone: NullableText,
    email: Type.String({ example: 'ana@example.com' }),
    license: Type.Object({ number: NullableText, state: NullableText, verified_at: Nullable(Timestamp) }),
  }),
  agency: Nullable(AgencyRef),
  key: Type.Object({
    label: Type.String({ example: 'CRM' }),
    prefix: Type.String({ example: 'svc_a1b2c3d4' }),
    created_at: Timestamp,
  }),
  test: Type.Boolean({ description: 'A test account: no one else sees its listings.', example: false }),
})
