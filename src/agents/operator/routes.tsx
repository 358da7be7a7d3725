import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../portal/shell.tsx'
import { registerAgenciesDesk } from '../agencies/operator/agencies.tsx'
import { registerLicenceDesk, registerLicenceDocument } from '../licences/operator/licence.tsx'
import { registerLicencesDesk } from '../licences/operator/licences.tsx'
import { registerAgentDesk } from './agent.tsx'
import { registerAgentsDesk } from './agents.tsx'

export function registerAgentsOperator(app: FastifyInstance, deps: PortalDeps): void {
  registerLicencesDesk(app, deps)
  registerLicenceDesk(app, deps)
  registerLicenceDocument(app, deps)
  registerAgentsDesk(app, deps)
  registerAgentDesk(app, deps)
  registerAgenciesDesk(app, deps)
}
