import type { FastifyInstance } from 'fastify'
import { type FeedDeps, registerFeed } from './feed.tsx'
import { registerFeeds } from './feeds.tsx'

export function registerFeedScreens(app: FastifyInstance, deps: FeedDeps): void {
  registerFeeds(app, deps)
  registerFeed(app, deps)
}
