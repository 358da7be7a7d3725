import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { OPERATOR } from '../../portal/guard.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Face } from '../../ui/face.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { queryOf, SearchBox } from '../../ui/search-box.tsx'
import { type Agent, Marks } from './marks.tsx'
import { searchAgents } from './service.ts'

export function registerAgentsDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/agents', OPERATOR, async (request, reply) => {
    const [q, page] = [queryOf(request), pageOf(request)]
    const found = await searchAgents(db, q, rangeOf(page))
    return sendDesk(request, reply, { tab: 'agents' }, <Agents q={q} {...pageFrom(found, page)} />)
  })
}

function Agents({ rows: agents, q, page, hasMore }: PageOf<Agent> & { q: string }) {
  const { t } = useVisit()
  return (
    <Panel>
      <SearchBox action="/portal/operator/agents" q={q} label={t('Nombre o correo', 'Name or email')} />
      {agents.length === 0 ? (
        <Empty icon="people" title={t('Sin resultados', 'No results')} />
      ) : (
        <ul class="mt-4 flex flex-col divide-y divide-base-300">
          {agents.map(agent => (
            <li key={agent.id}>
              <a
                href={`/portal/operator/agents/${agent.id}`}
                class="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 hover:text-primary"
              >
                <Face name={agent.name} photo={agent.photo} />
                <span class="min-w-0 flex-1">
                  <span class="block font-medium break-words">{agent.name}</span>
                  <span class="block text-sm break-words text-base-content/70">
                    {agent.email}
                    {agent.agency && ` · ${agent.agency}`}
                  </span>
                </span>
                <Marks agent={agent} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref('/portal/operator/agents', { q })} />
    </Panel>
  )
}
