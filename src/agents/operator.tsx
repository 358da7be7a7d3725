import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../portal/shell.tsx'
import { registerAgenciesDesk } from './desk-agencies.tsx'
import { registerAgentsDesk } from './desk-agents.tsx'
import { registerLicencesDesk } from './desk-licences.tsx'

export function registerAgentsOperator(app: FastifyInstance, deps: PortalDeps): void {
  registerLicencesDesk(app, deps)
  registerAgentsDesk(app, deps)
  registerAgenciesDesk(app, deps)
}
