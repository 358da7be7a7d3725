import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { Words } from '../../lib/i18n.ts'
import { issue } from '../../lib/issue.ts'
import { pointIn } from '../../lib/map-link.ts'
import { Problem } from '../../lib/problem.ts'
import { locate } from '../../places/service.ts'
import { attempt, type Rejected } from '../../portal/form-route.ts'
import { signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { allWords } from '../../ui/messages.ts'
import { hasText } from './values.ts'

interface FormPoint {
  lat: number
  lng: number
  by: 'pasted' | 'neighborhood' | 'postal_code'
}

/** For the map of the form, while its fields change; nothing is stored. Without scripts, a button does the same. */
export function registerLocate(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/listings/locate', async (request, reply) => {
    const { t, lang } = request.visit
    const fields = request.query as URLSearchParams
    const tried = await attempt(() => pointOfForm(db, signedIn(request).id, fields))
    if (tried.errors) return reply.send({ note: allWords(tried.errors, lang) })
    const { lat, lng, by } = tried.value
    return reply.send({ lat, lng, note: noteIn(t, by) })
  })
}

/** Coordinates or a link in either field; else the middle of the colonia or postal code. */
export async function pointOfForm(db: Db, agentId: string, form: URLSearchParams): Promise<FormPoint> {
  const value = (name: string) => (form.get(name) ?? '').trim()
  for (const name of ['lat', 'lng']) {
    if (!hasText(value(name))) continue
    const point = pointIn(value(name))
    if (!point) throw new Problem('validation', { issues: [issue(name, 'link_without_point')] })
    return { ...point, by: 'pasted' }
  }
  const found = await locate(db, agentId, {
    state: value('state'),
    city: value('city'),
    municipality: value('municipality'),
    neighborhood: value('neighborhood'),
    postalCode: value('postal_code'),
  })
  if (!found) throw new Problem('validation', { issues: [issue('neighborhood', 'unknown_place')] })
  return found
}

/** The form again, with the point in it. `path` is the page's own, for its links. */
export function withPoint(request: FastifyRequest, { lat, lng, by }: FormPoint, path: string): Rejected {
  const { visit, form } = request
  const values = new URLSearchParams(form)
  values.set('lat', String(lat))
  values.set('lng', String(lng))
  visit.flash = { kind: 'info', text: noteIn(visit.t, by) }
  visit.path = path
  return { values, errors: [] }
}

const noteIn = (t: Words, by: FormPoint['by']): string =>
  ({
    pasted: t('El punto es el que pegaste.', 'The point is the one you pasted.'),
    neighborhood: t(
      'Punto aproximado, en medio de la colonia: muévelo hasta la propiedad.',
      'Approximate point, in the middle of the neighborhood: move it to the property.',
    ),
    postal_code: t(
      'Punto aproximado, en medio del código postal: muévelo hasta la propiedad.',
      'Approximate point, in the middle of the postal code: move it to the property.',
    ),
  })[by]
