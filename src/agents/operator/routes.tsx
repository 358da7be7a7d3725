import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../portal/shell.tsx'
import { registerAgenciesDesk } from '../agencies/operator/agencies.tsx'
import { registerLicencesDesk } from '../licences/operator/licences.tsx'
import { registerAgentsDesk } from './agents.tsx'

export function registerAgentsOperator(app: FastifyInstance, deps: PortalDeps): void {
  registerLicencesDesk(app, deps)
  registerAgentsDesk(app, deps)
  registerAgenciesDesk(app, deps)
}
