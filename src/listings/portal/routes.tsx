import type { FastifyInstance } from 'fastify'
import { registerBulk } from './bulk.tsx'
import { registerBulkEdit } from './bulk-edit.tsx'
import { registerEdit } from './edit.tsx'
import type { ListingFormDeps } from './form.tsx'
import { registerHistory } from './history.tsx'
import { registerListing } from './listing.tsx'
import { registerListings } from './listings.tsx'
import { registerLocate } from './locate.ts'
import { registerNew } from './new.tsx'
import { registerPhotos } from './photos.tsx'
import { registerPreview } from './preview.tsx'
import { registerStatus } from './status.tsx'

export function registerListingScreens(app: FastifyInstance, deps: ListingFormDeps): void {
  registerListings(app, deps)
  registerBulk(app, deps)
  registerBulkEdit(app, deps)
  registerNew(app, deps)
  registerPreview(app, deps)
  registerLocate(app, deps)

  registerListing(app, deps)
  registerHistory(app, deps)
  registerEdit(app, deps)
  registerStatus(app, deps)
  registerPhotos(app, deps)
}
