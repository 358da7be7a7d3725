import type { FastifyInstance } from 'fastify'
import { type CollectionDeps, registerCollection } from './collection.tsx'
import { registerCollections } from './collections.tsx'
import { registerContents } from './contents.tsx'

export function registerCollectionScreens(app: FastifyInstance, deps: CollectionDeps): void {
  registerCollections(app, deps)
  registerCollection(app, deps)
  registerContents(app, deps)
}
