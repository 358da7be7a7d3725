import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { sendContent, sendRecord } from '../http/answers.ts'
import { answers } from '../http/openapi.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Content } from '../lib/schemas.ts'
import { fieldsParameter } from '../lib/selection.ts'
import { LIMITS } from '../lookups/catalog.ts'
import { listDirectory } from './directory.ts'
import { agencyInList, agencyRef, agentInList, agentUrl } from './record.ts'
import { AgencyInList, AgentInList, Me } from './schema.ts'
import * as service from './service.ts'

interface KeyInfo {
  label: string
  prefix: string
  scopes: string[]
  created_at: Date
}

interface AgentsOptions {
  db: Db
  /** For the directories. */
  reader: Db
  publicUrl: string
  /** Agents must not depend on search, which counts their public listings. */
  sharesOf(agentIds: string[]): Promise<(agentId: string) => { states: string[]; listings: number }>
  /** Agents must not depend on keys, so the caller's key is looked up by a module that knows both. */
  findKey(id: string): Promise<KeyInfo>
}

const meParameters = { fields: fieldsParameter(Me, []) }
const agentParameters = { fields: fieldsParameter(AgentInList) }
const agencyParameters = { fields: fieldsParameter(AgencyInList) }

const tags = ['Lookups']

export function registerAgents(app: FastifyInstance, options: AgentsOptions): void {
  registerMe(app, options)
  registerAgentList(app, options)
  registerAgencyList(app, options)
}

function registerMe(app: FastifyInstance, { db, publicUrl, findKey }: AgentsOptions): void {
  app.get(
    '/me',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'getMe',
        summary: 'Key owner and scopes',
        description:
          'Whose key this is and what it may do. The first call to make: it shows that the key works.',
        tags,
        querystring: querySchema(meParameters),
        response: answers({ schema: Me, description: 'The key’s owner and scopes.' }, ['validation']),
      },
    },
    async (request, reply) => {
      const { fields } = readOrRefuse(meParameters, request.query as URLSearchParams)
      const { agentId, keyId } = request.caller
      const [agent, key] = await Promise.all([service.findProfile(db, agentId), findKey(keyId)])
      const record = {
        name: agent.name,
        scopes: key.scopes,
        agent: {
          id: agent.id,
          name: agent.name,
          slug: agent.slug,
          url: agentUrl(publicUrl, agent.slug),
          phone: agent.phone,
          email: agent.email,
          license: {
            number: agent.license_number,
            state: agent.license_state,
            verified_at: agent.verified_at?.toISOString() ?? null,
          },
        },
        agency: agencyRef(agent, publicUrl),
        key: { label: key.label, prefix: key.prefix, created_at: key.created_at.toISOString() },
        test: agent.is_test,
      }
      return sendRecord(reply, record, fields)
    },
  )
}

function registerAgentList(app: FastifyInstance, { reader, publicUrl, sharesOf }: AgentsOptions): void {
  app.get(
    '/agents',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listAgents',
        summary: 'Public verified agents',
        description: 'The agents whose listings you can see, each with its agency and number of listings.',
        tags,
        querystring: querySchema(agentParameters),
        response: answers({ schema: Content(AgentInList), description: `By name, up to ${LIMITS.agents}.` }, [
          'validation',
        ]),
      },
    },
    async (request, reply) => {
      const { fields } = readOrRefuse(agentParameters, request.query as URLSearchParams)
      const rows = await listDirectory(reader, LIMITS.agents)
      const shareOf = await sharesOf(rows.map(({ id }) => id))
      return sendContent(
        reply,
        rows.map(row => agentInList(row, shareOf(row.id), publicUrl)),
        fields,
      )
    },
  )
}

function registerAgencyList(app: FastifyInstance, { reader, publicUrl }: AgentsOptions): void {
  app.get(
    '/agencies',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listAgencies',
        summary: 'Active agencies',
        description: 'The agencies on the exchange, each with its number of public verified agents.',
        tags,
        querystring: querySchema(agencyParameters),
        response: answers(
          { schema: Content(AgencyInList), description: `By name, up to ${LIMITS.agencies}.` },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const { fields } = readOrRefuse(agencyParameters, request.query as URLSearchParams)
      const rows = await service.listActiveAgencies(reader, LIMITS.agencies)
      return sendContent(
        reply,
        rows.map(row => agencyInList(row, publicUrl)),
        fields,
      )
    },
  )
}
