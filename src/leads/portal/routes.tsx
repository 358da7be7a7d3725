import type { FastifyInstance } from 'fastify'
import type { IdentificationDeps } from '../identification/portal/load.ts'
import { registerExport } from './export.ts'
import { registerLead } from './lead.tsx'
import { registerLeads } from './leads.tsx'

export function registerLeadScreens(app: FastifyInstance, deps: IdentificationDeps): void {
  registerLeads(app, deps)
  registerExport(app, deps)
  registerLead(app, deps)
}
