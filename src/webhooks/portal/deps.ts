import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import type { SecretBox } from '../secrets.ts'
import type { Network } from '../sender/network.ts'
import type { UrlPolicy } from '../sender/url.ts'

export interface WebhookDeps extends PortalDeps {
  /** Opened on first use: it needs the database, which describing the API does not. */
  openBox(): Promise<SecretBox>
  network: Network
  policy: UrlPolicy
  /** How long the log is kept. */
  eventRetentionDays: number
}

export const HOME = '/portal/webhooks'

/** Each is a request to someone's server: ten in ten minutes. */
const take = async (throttle: PortalDeps['throttle'], what: string, agentId: string) => {
  if (!(await throttle.account.take(`webhook ${what} ${agentId}`)).allowed)
    throw new Problem('validation', { issues: [issue('', 'too_many_sign_ins')] })
}
export const takeTest = (throttle: PortalDeps['throttle'], agentId: string) => take(throttle, 'test', agentId)
export const takeResend = (throttle: PortalDeps['throttle'], agentId: string) =>
  take(throttle, 'resend', agentId)
