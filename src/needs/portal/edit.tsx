import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '../../lib/time.ts'
import { formRoute, type Rejected } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { DEFAULT_DAYS, filterQuery } from '../rules.ts'
import { changeNeed, createNeed, type NeedDeps, type NeedRow, ownNeed } from '../service.ts'
import { explain } from './explain.tsx'
import { NeedForm } from './form.tsx'
import { HOME } from './words.tsx'

interface ById {
  Params: { id: string }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

function valuesOf(need: NeedRow): URLSearchParams {
  const values = new URLSearchParams(need.query)
  values.set('places', need.places.join('\n'))
  values.set('client', need.client ?? '')
  values.set('note', need.note ?? '')
  values.set('until', dayOf(need.until))
  values.set('notices', need.notices)
  if (need.on_board) values.set('on_board', 'on')
  return values
}

export function registerEditNeed(app: FastifyInstance, deps: NeedDeps): void {
  const { db, now } = deps

  /** From a search of the market: its filters are filled in. */
  app.get('/needs/new', (request, reply) => {
    if (!signedIn(request).isVerified) return explain(request, reply)
    const sent = request.query as URLSearchParams
    const values = filterQuery(sent)
    values.set('places', sent.get('place') ?? '')
    values.set('until', dayOf(new Date(now().getTime() + DEFAULT_DAYS * DAY_MS)))
    return sendNew(request, reply, { values, errors: [] })
  })

  formRoute(app, {
    path: '/needs/new',
    access: 'verified',
    run: request => createNeed(deps, signedIn(request).id, request.form),
    redraw: sendNew,
    done: ({ visit: { t } }, reply, id) =>
      goTo(reply, `${HOME}/${id}`, t('Búsqueda guardada.', 'Need saved.')),
  })

  app.get<ById>('/needs/:id/edit', VERIFIED, async (request, reply) => {
    const need = await ownNeed(db, signedIn(request).id, request.params.id)
    return sendEdit(request, reply, { values: valuesOf(need), errors: [] })
  })

  formRoute(app, {
    path: '/needs/:id/edit',
    access: 'verified',
    read: request => ownNeed(db, signedIn(request).id, request.params.id),
    run: (request, need) => changeNeed(deps, signedIn(request).id, need.id, request.form),
    redraw: sendEdit,
    done: ({ visit: { t } }, reply, _, need) =>
      goTo(reply, `${HOME}/${need.id}`, t('Búsqueda guardada.', 'Need saved.')),
  })

  function sendNew(request: FastifyRequest, reply: FastifyReply, shown: Rejected) {
    const title = request.visit.t('Nueva búsqueda', 'New need')
    return sendScreen(
      request,
      reply,
      { title, section: 'needs' },
      <NeedForm action={`${HOME}/new`} {...shown} />,
    )
  }

  function sendEdit(request: FastifyRequest<ById>, reply: FastifyReply, shown: Rejected) {
    const title = request.visit.t('Cambiar la búsqueda', 'Change the need')
    const action = `${HOME}/${request.params.id}/edit`
    return sendScreen(request, reply, { title, section: 'needs' }, <NeedForm action={action} {...shown} />)
  }
}
