import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { registerOwned } from './owned.tsx'
import { registerTeam } from './team.tsx'

export function registerTeamScreens(app: FastifyInstance, deps: PortalDeps): void {
  registerTeam(app, deps)
  registerOwned(app, deps)
}
