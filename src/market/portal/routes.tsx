import type { FastifyInstance } from 'fastify'
import { registerCompare } from './compare.tsx'
import { registerMarketListing } from './listing.tsx'
import { registerMarketMap } from './map.tsx'
import { type MarketScreenDeps, registerMarket } from './market.tsx'
import { registerSheet } from './sheet.tsx'

export function registerMarketScreens(app: FastifyInstance, deps: MarketScreenDeps): void {
  registerMarket(app, deps)
  registerMarketMap(app, deps)
  registerCompare(app, deps)
  registerMarketListing(app, deps)
  registerSheet(app, deps)
}
