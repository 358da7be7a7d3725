import type { FastifyInstance } from 'fastify'
import { registerForms } from '../http/forms.ts'
import { errorPage } from './errors.tsx'

/** Shared setup of public pages in all folders: error pages and form parsing. */
export async function registerGround(app: FastifyInstance, site: { publicUrl: string }): Promise<void> {
  // Pages are not part of the API description.
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true }
  })
  app.setErrorHandler(errorPage(site))
  await registerForms(app)
}
