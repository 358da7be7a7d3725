import type { FastifyInstance } from 'fastify'
import type { MarketDeps } from '../../market/service.ts'
import { type CooperationDeps, registerCooperation } from './cooperation.tsx'
import { registerCooperations } from './cooperations.tsx'
import { registerOffer } from './offer.tsx'
import { registerPropose } from './propose.tsx'

export function registerCooperationScreens(app: FastifyInstance, deps: CooperationDeps & MarketDeps): void {
  registerCooperations(app, deps)
  registerPropose(app, deps)
  registerOffer(app, deps)
  registerCooperation(app, deps)
}
