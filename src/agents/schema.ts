import Type from 'typebox'
import { Nullable, NullableText, Timestamp, Url, Uuid } from '../lib/schemas.ts'

export const AgencyRef = Type.Object(
  { name: Type.String(), slug: Type.String(), url: Url, logo_url: NullableText },
  { description: 'The agency to display with the agent.' },
)

export const AgentInList = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  url: Url,
  phone: NullableText,
  agency: Nullable(AgencyRef),
  states: Type.Array(Type.String(), { description: 'States in which the agent has published listings.' }),
  listings: Type.Integer({ description: 'Published listings visible to everyone.' }),
})

export const AgencyInList = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  url: Url,
  logo_url: NullableText,
  agents: Type.Integer({ description: 'Public verified agents of the agency.' }),
})

export const Me = Type.Object({
  name: Type.String({ description: 'Name of the agent the key belongs to.' }),
  scopes: Type.Array(Type.String(), { description: 'What the key may do: read, write.' }),
  agent: Type.Object({
    id: Uuid,
    name: Type.String(),
    slug: Type.String(),
    url: Url,
    phone: NullableText,
    email: Type.String(),
    license: Type.Object({ number: NullableText, state: NullableText, verified_at: Nullable(Timestamp) }),
  }),
  agency: Nullable(AgencyRef),
  key: Type.Object({ label: Type.String(), prefix: Type.String(), created_at: Timestamp }),
  test: Type.Boolean({ description: 'A test account: no one else sees its listings.' }),
})
