import type { FastifyInstance } from 'fastify'
import type { IdentificationDeps } from '../identification/portal/load.ts'
import { registerExport } from './export.ts'
import { registerLead } from './lead.tsx'
import { registerLeads } from './leads.tsx'
import { registerNewLead } from './new.tsx'

export function registerLeadScreens(app: FastifyInstance, deps: IdentificationDeps): void {
  registerLeads(app, deps)
  registerNewLead(app, deps)
  registerExport(app, deps)
  registerLead(app, deps)
}
