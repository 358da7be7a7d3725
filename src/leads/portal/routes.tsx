import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../../lib/fields.ts'
import type { Lang } from '../../lib/i18n.ts'
import { parsePrice } from '../../lib/money.ts'
import { Problem } from '../../lib/problem.ts'
import { fromLocal } from '../../lib/time.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { ownPath } from '../../portal/shell.tsx'
import { Icon } from '../../ui/icons.tsx'
import { attempt } from '../../ui/messages.ts'
import { pageFrom, pageOf, rangeOf } from '../../ui/pager.tsx'
import { detailFields, noteFields } from '../details.ts'
import {
  type IdentificationDeps,
  loadIdentification,
  registerIdentificationRoutes,
} from '../identification/portal/identification.tsx'
import { LEAD_STATUSES } from '../rules.ts'
import * as service from '../service.ts'
import { leadsCsv } from './csv.ts'
import { Inbox } from './inbox.tsx'
import { EraseScreen, type LeadProps, LeadScreen } from './lead.tsx'
import { nameOf, type Stage, StageBadge } from './words.tsx'

interface ById {
  Params: { id: string }
}

const BOARD_LIMIT = 500
const TABLE_PAGE = 50
const EXPORT_LIMIT = 20_000

export function registerLeadScreens(app: FastifyInstance, deps: IdentificationDeps): void {
  const { db, now } = deps
  /** The lead of the address, if it is of whoever asks. Another's does not exist. */
  async function leadOf(request: FastifyRequest<ById>): Promise<service.LeadRow> {
    const lead = await service.findOwnLead(db, signedIn(request).id, request.params.id)
    if (!lead) throw new Problem('not_found')
    return lead
  }

  app.get('/leads', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const query = request.query as URLSearchParams
    const filter = filterOf(query)
    const view = query.get('view') === 'table' || filter.status ? 'table' : 'board'
    const page = pageOf(request)
    const range = view === 'board' ? { limit: BOARD_LIMIT } : rangeOf(page, TABLE_PAGE)
    const [found, counts] = await Promise.all([
      service.searchLeads(db, agent.id, filter, range),
      service.countLeads(db, agent.id),
    ])
    const { rows: leads, hasMore } = pageFrom(found, page, view === 'board' ? BOARD_LIMIT : TABLE_PAGE)
    return sendScreen(
      request,
      reply,
      {
        title: t('Prospectos', 'Leads'),
        section: 'leads',
        assets: ['leads.js'],
        actions: agent.isVerified && (
          <a class="btn" href="/portal/leads/export.csv" download>
            <Icon name="download" />
            CSV
          </a>
        ),
      },
      <Inbox {...{ leads, counts, filter, view, page, hasMore }} now={now()} />,
    )
  })

  // All at once only for whom the API would answer too.
  app.get('/leads/export.csv', VERIFIED, async (request, reply) => {
    const leads = await service.searchLeads(db, signedIn(request).id, {}, { limit: EXPORT_LIMIT })
    const day = now().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="lonja-leads-${day}.csv"`)
      .send(leadsCsv(leads, request.visit.t))
  })

  async function sendLead(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: service.LeadRow,
    wrong: Pick<LeadProps, 'details' | 'note' | 'refusal'> = {},
  ) {
    const { t } = request.visit
    const notes = await service.listNotes(db, lead.id)
    const identification = signedIn(request).isVerified ? await loadIdentification(deps, lead) : undefined
    const isWrong = Object.keys(wrong).length > 0
    return sendScreen(
      request,
      reply,
      {
        title: nameOf(lead, t),
        section: 'leads',
        assets: ['leads.js'],
        subtitle: <StageBadge stage={lead.status} />,
        actions: (
          <a class="btn btn-ghost btn-sm" href="/portal/leads">
            {t('Todos los prospectos', 'All leads')}
          </a>
        ),
        ...(isWrong ? { status: 422 } : {}),
      },
      <LeadScreen {...{ lead, notes, identification, now: now() }} {...wrong} />,
    )
  }

  app.get<ById>('/leads/:id', async (request, reply) => sendLead(request, reply, await leadOf(request)))

  registerIdentificationRoutes(app, deps, leadOf, sendLead)

  app.post<ById>('/leads/:id/stage', async (request, reply) => {
    const { form, visit } = request
    const lead = await leadOf(request)
    const stage = form.get('stage') ?? ''
    if (!isStage(stage)) throw new Problem('bad_request')
    await service.changeStage(db, signedIn(request).id, lead.id, stage)
    const back = ownPath(form.get('back'), `/portal/leads/${lead.id}`)
    return goTo(reply, back, visit.t('Etapa guardada.', 'Stage saved.'))
  })

  app.post<ById>('/leads/:id/details', async (request, reply) => {
    const { form, visit } = request
    const lead = await leadOf(request)
    const sent = readBody(detailFields, detailsOf(form))
    const saved = await attempt(() => service.changeDetails(db, signedIn(request).id, lead.id, sent))
    if (saved.errors) {
      const errors = saved.errors.map(error => inWords(error, visit.lang))
      return sendLead(request, reply, lead, { details: { values: form, errors } })
    }
    return goTo(reply, `/portal/leads/${lead.id}`, visit.t('Guardado.', 'Saved.'))
  })

  app.post<ById>('/leads/:id/notes', async (request, reply) => {
    const { form, visit } = request
    const lead = await leadOf(request)
    const sent = readBody(noteFields, { note: form.get('note') ?? '' })
    const added = await attempt(() => service.addNote(db, signedIn(request).id, lead.id, sent))
    if (added.errors) return sendLead(request, reply, lead, { note: { values: form, errors: added.errors } })
    return goTo(reply, `/portal/leads/${lead.id}`, visit.t('Nota agregada.', 'Note added.'))
  })

  app.post<ById>('/leads/:id/notes/remove', async (request, reply) => {
    const lead = await leadOf(request)
    await service.removeNote(db, signedIn(request).id, lead.id, request.form.get('note') ?? '')
    return goTo(reply, `/portal/leads/${lead.id}`, request.visit.t('Nota quitada.', 'Note removed.'))
  })

  async function sendErase(request: FastifyRequest<ById>, reply: FastifyReply, errors?: string[]) {
    const lead = await leadOf(request)
    const { t } = request.visit
    const title = t('Eliminar los datos de una persona', 'Erase a person’s data')
    const screen = { title, section: 'leads' as const, ...(errors ? { status: 422 } : {}) }
    return sendScreen(request, reply, screen, <EraseScreen lead={lead} {...(errors ? { errors } : {})} />)
  }

  app.get<ById>('/leads/:id/erase', (request, reply) => sendErase(request, reply))

  app.post<ById>('/leads/:id/erase', async (request, reply) => {
    const { form, visit } = request
    const lead = await leadOf(request)
    if (form.get('sure') !== 'on') return sendErase(request, reply, [sureError(visit.lang)])
    await service.erasePerson(db, signedIn(request).id, lead.id)
    const text = visit.t('Los datos de la persona se eliminaron.', 'The person’s data has been erased.')
    return goTo(reply, `/portal/leads/${lead.id}`, text)
  })
}

const isStage = (text: string): text is Stage => (LEAD_STATUSES as readonly string[]).includes(text)

function filterOf(query: URLSearchParams): service.LeadFilter {
  const stage = query.get('status') ?? ''
  return {
    status: isStage(stage) ? stage : undefined,
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
  }
}

/** Text of a form as the fields want it; what cannot be read stays text, and the field says what it must be. */
function detailsOf(form: URLSearchParams): Record<string, unknown> {
  const given = (name: string) => form.get(name)?.trim() || null
  const moment = (name: string) => {
    const text = given(name)
    return text === null ? null : (fromLocal(text) ?? text)
  }
  const amount = (name: string) => {
    const text = given(name)
    return text === null ? null : (parsePrice(text)?.amount ?? text)
  }
  return {
    interest: given('interest'),
    tour_status: given('tour_status'),
    budget_min: amount('budget_min'),
    budget_max: amount('budget_max'),
    follow_up_at: moment('follow_up_at'),
    tour_at: moment('tour_at'),
    showing_at: moment('showing_at'),
  }
}

function inWords(error: string, lang: Lang): string {
  if (lang === 'en') return error.replace('be below budget_min', 'be below the lowest budget')
  return error
    .replace(/^(\w+) must be a date$/, '$1 debe ser una fecha')
    .replace(
      /^tour_status cannot be \w+ before the visitor is identified$/,
      'tour_status se puede confirmar cuando aceptes su identificación',
    )
    .replace(/^budget_max must not be below budget_min$/, 'budget_max no puede ser menor que el mínimo')
}

const sureError = (lang: Lang) =>
  lang === 'es' ? 'sure marca la casilla para confirmarlo' : 'sure tick the box to confirm'
