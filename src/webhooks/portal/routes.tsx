import type { FastifyInstance } from 'fastify'
import { registerDelivery } from './delivery.tsx'
import type { WebhookDeps } from './deps.ts'
import { registerResends } from './resend.tsx'
import { registerSecret } from './secret.tsx'
import { registerWebhook } from './webhook.tsx'
import { registerWebhooks } from './webhooks.tsx'

export function registerWebhookScreens(app: FastifyInstance, deps: WebhookDeps): void {
  registerWebhooks(app, deps)
  registerWebhook(app, deps)
  registerSecret(app, deps)
  registerDelivery(app, deps)
  registerResends(app, deps)
}
