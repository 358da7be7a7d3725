import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { Market, type MarketDeps } from '../../site/market.ts'
import type { Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { attempt, fieldErrors } from '../../ui/messages.ts'
import { collectionFields } from '../rules.ts'
import * as service from '../service.ts'
import type { Wish } from './picker.tsx'
import { Collections, OneCollection } from './screens.tsx'

interface ById {
  Params: { id: string }
}

const VERIFIED = { config: { access: 'verified' as const } }
const HOME = '/portal/collections'
const PER_PAGE = 8

export function registerCollectionScreens(
  app: FastifyInstance,
  deps: PortalDeps & Pick<MarketDeps, 'search'>,
): void {
  const { db, publicUrl } = deps
  const market = new Market({ db, search: deps.search, now: () => deps.now().getTime() })

  async function sendList(request: FastifyRequest, reply: FastifyReply, form?: Shown) {
    const { t } = request.visit
    const collections = await service.listCollections(db, signedIn(request).id)
    return sendScreen(
      request,
      reply,
      {
        title: t('Colecciones', 'Collections'),
        section: 'collections',
        subtitle: t(
          'Elige propiedades, tuyas o de otros agentes, y comparte una página con tu cliente. Quien pregunte ahí, te pregunta a ti.',
          'Pick listings, yours or other agents’, and share one page with your client. Whoever asks there, asks you.',
        ),
        ...(form ? { status: 422 } : {}),
      },
      <Collections collections={collections} publicUrl={publicUrl} form={form} />,
    )
  }

  async function sendOne(request: FastifyRequest<ById>, reply: FastifyReply, form?: Shown) {
    const agent = signedIn(request)
    const { t } = request.visit
    const collection = await service.findOwn(db, agent.id, request.params.id)
    const wish = wishOf(request.query as URLSearchParams)
    const [items, found] = await Promise.all([
      service.listItems(db, publicUrl, collection.id),
      // What everybody sees, of everybody or of the agent alone: nothing else can be put in.
      market.find({
        ...(wish.q ? { q: wish.q, sort: 'relevance' } : {}),
        ...(wish.mine ? { agents: [agent.id] } : {}),
        page: wish.page,
        limit: PER_PAGE,
      }),
    ])
    return sendScreen(
      request,
      reply,
      {
        title: collection.title,
        section: 'collections',
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            <Icon name="share" class="size-4" />
            {t('Todas las colecciones', 'All collections')}
          </a>
        ),
        ...(form ? { status: 422 } : {}),
      },
      <OneCollection {...{ collection, items, found, wish, publicUrl, form }} />,
    )
  }

  app.get('/collections', (request, reply) => sendList(request, reply))

  app.post('/collections', VERIFIED, async (request, reply) => {
    const { form: values, visit } = request
    const sent = readBody(collectionFields, Object.fromEntries(values))
    const done = await attempt(() => service.createCollection(db, signedIn(request).id, sent))
    if (done.errors) return sendList(request, reply, { values, errors: done.errors })
    const text = visit.t(
      'Colección creada. Ahora elige propiedades.',
      'Collection created. Now pick listings.',
    )
    return goTo(reply, `${HOME}/${done.value}`, text)
  })

  app.get<ById>('/collections/:id', (request, reply) => sendOne(request, reply))

  app.post<ById>('/collections/:id/edit', async (request, reply) => {
    const { form: values, visit } = request
    const { id } = request.params
    const sent = readBody(collectionFields, Object.fromEntries(values))
    const done = await attempt(() => service.changeCollection(db, signedIn(request).id, id, sent))
    if (done.errors) return sendOne(request, reply, { values, errors: done.errors })
    return goTo(reply, `${HOME}/${id}`, visit.t('Guardado.', 'Saved.'))
  })

  app.post<ById>('/collections/:id/add', async (request, reply) => {
    const { form, visit } = request
    const { id } = request.params
    const done = await attempt(() =>
      service.addListing(db, signedIn(request).id, id, form.get('listing') ?? ''),
    )
    if (done.errors) {
      const text = fieldErrors(done.errors, visit.lang)['']?.[0] ?? done.errors[0] ?? ''
      return goTo(reply, backTo(request), { kind: 'warning', text })
    }
    return goTo(reply, backTo(request), visit.t('Agregada.', 'Added.'))
  })

  app.post<ById>('/collections/:id/drop', async (request, reply) => {
    const { form, visit } = request
    await service.removeListing(db, signedIn(request).id, request.params.id, form.get('listing') ?? '')
    return goTo(reply, backTo(request), visit.t('Quitada de la colección.', 'Taken out.'))
  })

  app.post<ById>('/collections/:id/move', async (request, reply) => {
    const { form } = request
    await service.moveListing(db, signedIn(request).id, request.params.id, {
      listingId: form.get('listing') ?? '',
      step: form.get('to') === 'up' ? -1 : 1,
    })
    return goTo(reply, backTo(request))
  })

  app.post<ById>('/collections/:id/pause', async (request, reply) => {
    await service.shareCollection(db, signedIn(request).id, request.params.id, false)
    const text = request.visit.t('Ya no se comparte.', 'No longer shared.')
    return goTo(reply, `${HOME}/${request.params.id}`, text)
  })

  app.post<ById>('/collections/:id/resume', async (request, reply) => {
    await service.shareCollection(db, signedIn(request).id, request.params.id, true)
    const text = request.visit.t('Se comparte de nuevo.', 'Shared again.')
    return goTo(reply, `${HOME}/${request.params.id}`, text)
  })

  app.post<ById>('/collections/:id/remove', async (request, reply) => {
    await service.removeCollection(db, signedIn(request).id, request.params.id)
    return goTo(reply, HOME, request.visit.t('Colección eliminada.', 'Collection removed.'))
  })
}

const backTo = (request: FastifyRequest<ById>): string =>
  ownPath(request.form.get('back'), `${HOME}/${request.params.id}`)

function wishOf(query: URLSearchParams): Wish {
  const page = Number.parseInt(query.get('page') ?? '', 10) || 1
  return {
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
    mine: query.get('of') !== 'all',
    page: Math.min(Math.max(page, 1), 400),
  }
}
