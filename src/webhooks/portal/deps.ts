import type { PortalDeps } from '../../portal/shell.tsx'
import type { SecretBox } from '../secrets.ts'
import type { Network } from '../sender/network.ts'
import type { UrlPolicy } from '../sender/url.ts'

export interface WebhookDeps extends PortalDeps {
  /** Opened on first use: it needs the database, which describing the API does not. */
  openBox(): Promise<SecretBox>
  network: Network
  policy: UrlPolicy
}

export const HOME = '/portal/webhooks'
