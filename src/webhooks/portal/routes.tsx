import type { FastifyInstance } from 'fastify'
import { registerDeliveries } from './deliveries.tsx'
import type { WebhookDeps } from './deps.ts'
import { registerSecret } from './secret.tsx'
import { registerWebhook } from './webhook.tsx'
import { registerWebhooks } from './webhooks.tsx'

export function registerWebhookScreens(app: FastifyInstance, deps: WebhookDeps): void {
  registerWebhooks(app, deps)
  registerWebhook(app, deps)
  registerSecret(app, deps)
  registerDeliveries(app, deps)
}
