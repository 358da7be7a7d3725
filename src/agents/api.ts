import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { answers } from '../http/openapi.ts'
import { Content } from '../lib/schemas.ts'
import { LIMITS } from '../lookups/catalog.ts'
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
  publicUrl: string
  /** Agents must not depend on keys, so the caller's key is looked up by a module that knows both. */
  findKey(id: string): Promise<KeyInfo>
}

export function registerAgents(app: FastifyInstance, { db, publicUrl, findKey }: AgentsOptions): void {
  const tags = ['Lookups']

  app.get(
    '/me',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'getMe',
        summary: 'Key owner and scopes',
        tags,
        response: answers({ schema: Me, description: 'The key’s owner and scopes.' }),
      },
    },
    async request => {
      const { agentId, keyId } = request.caller
      const [agent, key] = await Promise.all([service.findProfile(db, agentId), findKey(keyId)])
      return {
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
    },
  )

  app.get(
    '/agents',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listAgents',
        summary: 'Public verified agents',
        tags,
        response: answers({ schema: Content(AgentInList), description: `By name, up to ${LIMITS.agents}.` }),
      },
    },
    async () => {
      const rows = await service.listPublicAgents(db, LIMITS.agents)
      return { content: rows.map(row => agentInList(row, publicUrl)) }
    },
  )

  app.get(
    '/agencies',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listAgencies',
        summary: 'Active agencies',
        tags,
        response: answers({
          schema: Content(AgencyInList),
          description: `By name, up to ${LIMITS.agencies}.`,
        }),
      },
    },
    async () => {
      const rows = await service.listActiveAgencies(db, LIMITS.agencies)
      return { content: rows.map(row => agencyInList(row, publicUrl)) }
    },
  )
}
