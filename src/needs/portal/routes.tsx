import type { FastifyInstance } from 'fastify'
import type { MarketDeps } from '../../market/service.ts'
import type { NeedDeps } from '../service.ts'
import { registerBoard } from './board.tsx'
import { registerEditNeed } from './edit.tsx'
import { registerNeed } from './need.tsx'
import { registerNeeds } from './needs.tsx'

export function registerNeedScreens(app: FastifyInstance, deps: NeedDeps & MarketDeps): void {
  registerNeeds(app, deps)
  registerBoard(app, deps)
  registerEditNeed(app, deps)
  registerNeed(app, deps)
}
