import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { registerLicence } from '../../licences/portal/licence.tsx'
import { registerProfile } from '../../profiles/portal/profile.tsx'
import { registerEntry } from './entry.tsx'
import { registerSecurity } from './security.tsx'

/** An agent's own account: the way in, the profile, the licence, the password and the sessions. */
export function registerAccount(app: FastifyInstance, deps: PortalDeps): void {
  registerEntry(app, deps)
  registerProfile(app, deps)
  registerLicence(app, deps)
  registerSecurity(app, deps)
}
