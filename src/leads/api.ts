import type { FastifyInstance } from 'fastify'
import type { Db, Sql } from '../db/database.ts'
import { API_PREFIX, answers } from '../http/openapi.ts'
import { warnable } from '../http/openapi-routes.ts'
import { answerOnce } from '../idempotency/service.ts'
import { bodySchema, readBody } from '../lib/fields.ts'
import { Content, Shared } from '../lib/schemas.ts'
import { LIMITS } from '../lookups/catalog.ts'
import { leadRecord } from './record.ts'
import { LeadRecord, leadFields } from './schema.ts'
import * as service from './service.ts'

export function registerLeads(app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  app.addSchema({ $id: 'Lead', ...warnable(LeadRecord) })
  const tags = ['Leads']

  app.post(
    '/leads',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createLead',
        summary: 'Create a lead',
        description: 'Assigned to you. You get the usual email notice but no webhook.',
        tags,
        body: {
          ...bodySchema(leadFields, ['name']),
          example: {
            name: 'María López',
            phone: '55 5500 0000',
            message: '¿Sigue disponible?',
            source: 'mi-sitio',
          },
        },
        response: answers(
          {
            schema: Shared('Lead'),
            description: 'Created.',
            status: 201,
            headers: { Location: { type: 'string', description: 'The list of leads.' } },
          },
          [],
          {
            body: true,
          },
        ),
      },
    },
    async (request, reply) => {
      const sent = readBody(leadFields, request.body)
      const create = async (sql: Sql) => {
        const lead = await service.createLead(sql, request.caller.agentId, sent)
        // No URL for a single lead: leads are read in the list.
        reply.code(201).header('location', `${publicUrl}${API_PREFIX}/leads`)
        return leadRecord(lead)
      }
      return answerOnce(db, request, reply, create, ({ id }) => id)
    },
  )

  app.get(
    '/leads',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listLeads',
        summary: 'Your latest leads',
        description: `The latest ${LIMITS.leads}. They contain personal data; read-only keys see them too.`,
        tags,
        response: answers({ schema: Content(Shared('Lead')), description: 'Newest first.' }),
      },
    },
    async request => ({
      content: (await service.listLeads(db, request.caller.agentId, LIMITS.leads)).map(leadRecord),
    }),
  )
}
