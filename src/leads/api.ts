import type { FastifyInstance } from 'fastify'
import type { Db, Sql } from '../db/database.ts'
import { sendContent } from '../http/answers.ts'
import { NEXT_LINK, nextLink } from '../http/links.ts'
import { API_PREFIX, answers } from '../http/openapi.ts'
import { warnable } from '../http/openapi-routes.ts'
import { answerOnce } from '../idempotency/service.ts'
import { bodySchema, readBody } from '../lib/fields.ts'
import { pageOf } from '../lib/list-page.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Content, Shared, Uuid } from '../lib/schemas.ts'
import { LIMITS } from '../lookups/catalog.ts'
import { leadRecord } from './record.ts'
import { LeadRecord, leadFields, leadParameters, leadPatchFields } from './schema.ts'
import * as service from './service.ts'

interface Deps {
  db: Db
  publicUrl: string
}

const tags = ['Leads']

export function registerLeads(app: FastifyInstance, deps: Deps): void {
  app.addSchema({ $id: 'Lead', ...warnable(LeadRecord) })
  app.addSchema({
    $id: 'NewLead',
    ...bodySchema(leadFields, ['name']),
    example: {
      name: 'María López',
      phone: '55 5500 0000',
      message: '¿Sigue disponible?',
      source: 'mi-sitio',
    },
  })
  app.addSchema({
    $id: 'LeadChanges',
    ...bodySchema(leadPatchFields),
    example: { status: 'contacted', follow_up_at: '2026-12-01T16:00:00Z', note: 'Prefiere por la tarde.' },
  })
  registerCreate(app, deps)
  registerList(app, deps)
  registerChange(app, deps)
}

function registerCreate(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.post(
    '/leads',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createLead',
        summary: 'Create a lead',
        description: 'Assigned to you. You get the usual email notice but no webhook.',
        tags,
        body: Shared('NewLead'),
        response: answers(
          {
            schema: Shared('Lead'),
            description: 'Created.',
            status: 201,
            headers: { Location: { type: 'string', description: 'The list of leads.' } },
          },
          [],
          { body: true },
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
}

function registerList(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.get(
    '/leads',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listLeads',
        summary: 'Your latest leads',
        description: `The latest ${LIMITS.leads}; \`Link\` leads to the others. They contain personal data; read-only keys see them too.`,
        tags,
        querystring: querySchema(leadParameters),
        response: answers(
          { schema: Content(Shared('Lead')), description: 'Newest first.', headers: NEXT_LINK },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const query = request.query as URLSearchParams
      const { updated_since, cursor: after, fields, ...asked } = readOrRefuse(leadParameters, query)
      const limit = Math.min(asked.limit ?? LIMITS.leads, LIMITS.leads)
      const rows = await service.listLeads(db, request.caller.agentId, {
        updatedSince: updated_since,
        after,
        limit: limit + 1,
      })
      const { page, next } = pageOf(rows, limit, ({ created_at: at, id }) => ({ at, id }))
      if (next) reply.header('link', nextLink(publicUrl, request.url, query, next))
      return sendContent(reply, page.map(leadRecord), fields)
    },
  )
}

function registerChange(app: FastifyInstance, { db }: Deps): void {
  app.patch<{ Params: { id: string } }>(
    '/leads/:id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'updateLead',
        summary: 'Change the stage of a lead, its follow-up, or add a note',
        description:
          'Only the fields you send change. You are not sent a webhook for your own change; a stage changed in the portal sends `lead.updated`.',
        tags,
        params: {
          type: 'object',
          properties: { id: { ...Uuid, description: 'The lead’s UUID.' } },
          required: ['id'],
        },
        body: Shared('LeadChanges'),
        response: answers({ schema: Shared('Lead'), description: 'The lead as it is now.' }, ['not_found'], {
          body: true,
        }),
      },
    },
    async request => {
      const sent = readBody(leadPatchFields, request.body)
      return leadRecord(await service.changeLead(db, request.caller.agentId, request.params.id, sent))
    },
  )
}
