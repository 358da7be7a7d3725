import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { registerLicense } from '../../licenses/portal/license.tsx'
import { registerAgency } from '../../profiles/portal/agency.tsx'
import { registerPhoto } from '../../profiles/portal/photo.tsx'
import { registerProfile } from '../../profiles/portal/profile.tsx'
import { registerAccount } from './account.tsx'
import { registerCheckMail } from './check-mail.tsx'
import { registerConfirm } from './confirm.tsx'
import { registerForgotten } from './forgotten.tsx'
import { registerReset } from './reset.tsx'
import { registerSignIn } from './sign-in.tsx'
import { registerSignUp } from './sign-up.tsx'

/** Sign-in and the agent's account: profile, license, password and sessions. */
export function registerAccountScreens(app: FastifyInstance, deps: PortalDeps): void {
  registerSignIn(app, deps)
  registerSignUp(app, deps)
  registerCheckMail(app, deps)
  registerConfirm(app, deps)
  registerForgotten(app, deps)
  registerReset(app, deps)

  registerProfile(app, deps)
  registerPhoto(app, deps)
  registerAgency(app, deps)
  registerLicense(app, deps)
  registerAccount(app, deps)
}
