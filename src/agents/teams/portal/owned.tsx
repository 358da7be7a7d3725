import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type AgencyLead, type Colleague, handOver, listAgencyLeads } from '../../../leads/handover.ts'
import { HeirField } from '../../../leads/portal/hand-over.tsx'
import { StageBadge } from '../../../leads/portal/words.tsx'
import { phoneText } from '../../../lib/phone.ts'
import { type AgencyListing, listAgencyInventory } from '../../../listings/agency.ts'
import { ListingBadge, placeOf, priceLines } from '../../../listings/portal/words.tsx'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Submit } from '../../../ui/buttons.tsx'
import { Form } from '../../../ui/forms.tsx'
import { allWords } from '../../../ui/messages.ts'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../../ui/pager.tsx'
import { Empty } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import { listMembers, requireOwned } from '../service.ts'
import { TeamTabs } from './tabs.tsx'

const LEADS = '/portal/team/leads'

/** What the owner of an agency sees of its agents' work. */
export function registerOwned(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/team/listings', async (request, reply) => {
    const { id } = signedIn(request)
    await requireOwned(db, id)
    const page = pageOf(request)
    const found = pageFrom(await listAgencyInventory(db, id, rangeOf(page)), page)
    return sendScreen(request, reply, screenOf(request), <Listings {...found} />)
  })

  app.get('/team/leads', async (request, reply) => {
    const { id } = signedIn(request)
    const members = await listMembers(db, await requireOwned(db, id))
    const page = pageOf(request)
    const found = pageFrom(await listAgencyLeads(db, id, rangeOf(page)), page)
    const agents = members.filter(one => one.verified_at)
    return sendScreen(request, reply, screenOf(request), <Leads {...found} agents={agents} />)
  })

  formRoute(app, {
    path: '/team/leads/:id/hand-over',
    run: request => handOver(db, signedIn(request).id, request.params.id, request.form.get('to') ?? ''),
    redraw: ({ visit }, reply, { errors }) =>
      goTo(reply, LEADS, { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ visit }, reply) => goTo(reply, LEADS, visit.t('Prospecto entregado.', 'Lead handed over.')),
  })
}

const screenOf = ({ visit: { t } }: FastifyRequest) => ({
  title: t('Equipo', 'Team'),
  section: 'team' as const,
})

function List(props: { isEmpty: boolean; children: ComponentChildren }) {
  const { t } = useVisit()
  return (
    <div class="rounded-box border border-base-300 bg-base-100">
      {props.isEmpty ? (
        <Empty icon="search" title={t('Todavía no hay nada', 'Nothing here yet')} />
      ) : (
        <ul class="divide-y divide-base-300">{props.children}</ul>
      )}
    </div>
  )
}

const ROW = 'flex flex-wrap items-start justify-between gap-x-6 gap-y-2 p-4'

function Listings({ rows, page, hasMore }: PageOf<AgencyListing>) {
  const { lang } = useVisit()
  return (
    <>
      <TeamTabs here="listings" />
      <List isEmpty={rows.length === 0}>
        {rows.map(row => (
          <li key={row.id} class={ROW}>
            <div class="min-w-0">
              {row.status === 'published' ? (
                <a class="link font-medium break-words link-hover" href={`/propiedades/${row.slug}`}>
                  {row.title}
                </a>
              ) : (
                <span class="font-medium break-words">{row.title}</span>
              )}
              <p class="text-sm text-base-content/75">{placeOf(row)}</p>
              <p class="text-sm tabular-nums">{priceLines(row, lang).join(' · ')}</p>
            </div>
            <p class="flex flex-wrap items-center gap-2 text-sm text-base-content/75">
              <ListingBadge status={row.status} />
              {row.agent_name}
            </p>
          </li>
        ))}
      </List>
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref('/portal/team/listings')} />
    </>
  )
}

function Leads({ rows, page, hasMore, agents }: PageOf<AgencyLead> & { agents: Colleague[] }) {
  const { t } = useVisit()
  return (
    <>
      <TeamTabs here="leads" />
      <List isEmpty={rows.length === 0}>
        {rows.map(row => (
          <li key={row.id} class={ROW}>
            <div class="min-w-0">
              <p class="font-medium break-words">{row.name}</p>
              <p class="text-sm break-words text-base-content/75">
                {[row.phone && phoneText(row.phone), row.email].filter(Boolean).join(' · ')}
              </p>
              <p class="text-sm break-words text-base-content/75">{row.listing_title}</p>
            </div>
            <div class="flex min-w-0 flex-col gap-2 text-sm">
              <p class="flex flex-wrap items-center gap-2 text-base-content/75">
                <StageBadge stage={row.status} />
                {row.agent_name} · <Time at={row.created_at} day />
              </p>
              {agents.some(({ id }) => id !== row.agent_id) && (
                <details>
                  <summary class="link cursor-pointer">
                    {t('Entregar a un colega', 'Hand to a colleague')}
                  </summary>
                  <Form
                    action={`${LEADS}/${row.id}/hand-over`}
                    class="mt-2 flex flex-col gap-2"
                    prefix={`lead-${row.id}-`}
                  >
                    <HeirField heirs={agents.filter(({ id }) => id !== row.agent_id)} />
                    <Submit tone="plain" small class="self-start">
                      {t('Entregar', 'Hand over')}
                    </Submit>
                  </Form>
                </details>
              )}
            </div>
          </li>
        ))}
      </List>
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref(LEADS)} />
    </>
  )
}
