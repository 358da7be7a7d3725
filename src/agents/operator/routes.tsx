import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../portal/shell.tsx'
import { registerAgenciesDesk } from '../agencies/operator/agencies.tsx'
import { registerLicenseDesk, registerLicenseDocument } from '../licenses/operator/license.tsx'
import { registerLicensesDesk } from '../licenses/operator/licenses.tsx'
import { registerAgentDesk } from './agent.tsx'
import { registerAgentsDesk } from './agents.tsx'

export function registerAgentsOperator(app: FastifyInstance, deps: PortalDeps): void {
  registerLicensesDesk(app, deps)
  registerLicenseDesk(app, deps)
  registerLicenseDocument(app, deps)
  registerAgentsDesk(app, deps)
  registerAgentDesk(app, deps)
  registerAgenciesDesk(app, deps)
}
