import type { FastifyInstance } from 'fastify'
import { registerForms } from '../http/forms.ts'
import { errorPage } from './errors.tsx'

/** What pages for everybody stand on, also those of other folders: errors are pages, and forms are read. */
export async function registerGround(app: FastifyInstance, site: { publicUrl: string }): Promise<void> {
  // Pages are not part of the API and its description.
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true }
  })
  app.setErrorHandler(errorPage(site))
  await registerForms(app)
}
