import type { FastifyInstance } from 'fastify'
import { type Inquiry, InquirySection, inquiryLabel, newInquiry } from '../../leads/visitors/inquiry-form.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug, kebab } from '../../lib/slug.ts'
import { foldText } from '../../lib/text.ts'
import { LIMITS } from '../../lookups/catalog.ts'
import { AgencyLine, Avatar, ContactLinks } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Crumbs, Nothing, sendSitePage } from '../../site/layout.tsx'
import { agentData, crumbData } from '../../site/linked-data.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, visitOf } from '../../site/visit.ts'
import { count, type Listing } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageHref, pageOf } from '../../ui/pager.tsx'
import { findAgent, listDirectory } from '../directory.ts'
import { agentInList } from '../record.ts'
import type { PublicAgent } from '../service.ts'
import { type Agent, PER_DIRECTORY, PER_PAGE, PersonCard, Published, type Steps } from './people.tsx'

type Share = Parameters<typeof agentInList>[1]

export function registerAgentPages(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { publicUrl } = deps
  const sharesOf = (rows: PublicAgent[]) => market.counts.sharesOf(rows.map(({ id }) => id))
  const inList = (row: PublicAgent, share: Share) => ({
    ...agentInList(row, share, publicUrl),
    photo: row.photo,
  })
  const describe = (row: PublicAgent, { states }: Share) =>
    `${row.name} ${row.agency_name ?? ''} ${states.join(' ')}`

  app.get(localPath(lang, '/agentes'), async (request, reply) => {
    const query = request.query as URLSearchParams
    const wanted = (query.get('q') ?? '').trim().slice(0, 100)
    const page = pageOf(request)
    const fold = foldText(wanted)
    const all = await listDirectory(deps.readerFor(request), LIMITS.agents)
    const onPage = (rows: PublicAgent[]) => rows.slice((page - 1) * PER_DIRECTORY, page * PER_DIRECTORY)
    // A state may be searched for: then the shares of all decide.
    const shareOf = await sharesOf(fold ? all : onPage(all))
    const agents = fold ? all.filter(row => foldText(describe(row, shareOf(row.id))).includes(fold)) : all
    const pages = Math.ceil(agents.length / PER_DIRECTORY)
    const visit = visitOf(deps, lang, pageHref('/agentes')(page))
    const title = visit.t('Agentes inmobiliarios verificados', 'Verified real estate agents')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Agentes con licencia verificada en todo México.',
          'Licensed, verified agents across Mexico.',
        ),
        indexed: wanted === '' && page <= Math.max(1, pages),
      },
      <AgentDirectory
        title={title}
        wanted={wanted}
        total={agents.length}
        agents={onPage(agents).map(row => inList(row, shareOf(row.id)))}
        page={page}
        pages={pages}
      />,
    )
  })

  app.get<{ Params: { slug: string } }>(localPath(lang, '/agentes/:slug'), async (request, reply) => {
    const { slug } = request.params
    const row = isSlug(slug) ? await findAgent(deps.readerFor(request), slug) : undefined
    if (!row) throw new NoPage(lang)
    const agent = inList(row, (await sharesOf([row]))(row.id))
    const page = pageOf(request)
    const { listings } = await market.find({ agents: [row.id], page, limit: PER_PAGE })
    const path = `/agentes/${slug}`
    const visit = visitOf(deps, lang, pageHref(path)(page))
    const steps = [{ name: visit.t('Agentes', 'Agents'), path: '/agentes' }, { name: agent.name }]
    const inquiry = await newInquiry(deps, lang, path, { showings: false })
    return sendSitePage(
      reply,
      visit,
      {
        title: `${agent.name}${agent.agency ? ` · ${agent.agency.name}` : ''} | Lonja`,
        description: visit.t(
          `${agent.name}, agente inmobiliario verificado. ${agent.listings} propiedades publicadas${agent.states.length > 0 ? ` en ${agent.states.slice(0, 3).join(', ')}` : ''}.`,
          `${agent.name}, verified real estate agent. ${agent.listings} published listings${agent.states.length > 0 ? ` in ${agent.states.slice(0, 3).join(', ')}` : ''}.`,
        ),
        kind: 'profile',
        indexed: row.listed,
        data: [
          {
            '@context': 'https://schema.org',
            ...agentData(agent, visit),
            areaServed: agent.states,
          },
          crumbData(steps, visit),
        ],
      },
      <AgentPage {...{ agent, listings, steps, page, path, inquiry }} />,
    )
  })
}

function AgentDirectory(props: {
  title: string
  wanted: string
  total: number
  agents: Agent[]
  page: number
  pages: number
}) {
  const { lang, t, to } = useVisit()
  return (
    <div class="wrap py-10">
      <h1 class="page-title">{props.title}</h1>
      <form class="mt-6 flex max-w-xl flex-wrap gap-2" action={to('/agentes')} method="get">
        <label class="min-w-0 grow">
          <span class="sr-only">{t('Nombre, inmobiliaria o estado', 'Name, agency or state')}</span>
          <input
            class="input w-full"
            type="search"
            name="q"
            value={props.wanted}
            maxlength={100}
            placeholder={t('Nombre, inmobiliaria o estado', 'Name, agency or state')}
          />
        </label>
        <button class="btn btn-primary" type="submit">
          <Icon name="search" /> {t('Buscar', 'Search')}
        </button>
      </form>
      <p class="mt-4 opacity-80" role="status">
        {t(`${count(props.total, lang)} agentes`, `${count(props.total, lang)} agents`)}
      </p>
      {props.agents.length === 0 && <Nothing title={t('Sin resultados', 'No results')} />}
      <ul class="people">
        {props.agents.map(agent => (
          <PersonCard agent={agent} />
        ))}
      </ul>
      <Pager page={props.page} pages={props.pages} hrefOf={pageHref(to('/agentes'), { q: props.wanted })} />
    </div>
  )
}

function AgentPage(props: {
  agent: Agent
  listings: Listing[]
  steps: Steps
  page: number
  path: string
  inquiry: Inquiry
}) {
  const { lang, t, to } = useVisit()
  const { agent, listings } = props
  return (
    <div class="wrap pb-16">
      <Crumbs steps={props.steps} />
      <header class="profile">
        <Avatar name={agent.name} photo={agent.photo} large />
        <div class="min-w-0 grow">
          <h1 class="page-title">{agent.name}</h1>
          <p class="verified">
            <Icon name="check" size={16} />{' '}
            {t('Agente con licencia verificada', 'Agent with a verified license')}
          </p>
          {agent.agency && <AgencyLine agency={agent.agency} />}
          {agent.states.length > 0 && (
            <p class="mt-2 text-sm">
              <Icon name="pin" size={16} />{' '}
              {agent.states.map((state, i) => (
                <>
                  {i > 0 && ', '}
                  <a class="link" href={to(`/mx/${kebab(state, 'estado')}`)}>
                    {state}
                  </a>
                </>
              ))}
            </p>
          )}
        </div>
        <ContactLinks
          phone={agent.phone}
          about={t(`Hola ${agent.name}, te encontré en Lonja.`, `Hello ${agent.name}, I found you on Lonja.`)}
        />
        <a class="btn btn-outline" href="#contacto">
          <Icon name="mail" /> {inquiryLabel(props.inquiry, t)}
        </a>
      </header>
      <section class="listing-section">
        <h2>
          {t('Propiedades publicadas', 'Published listings')}{' '}
          <span class="opacity-70">({count(agent.listings, lang)})</span>
        </h2>
        <Published listings={listings} page={props.page} total={agent.listings} path={props.path} />
      </section>
      <InquirySection inquiry={props.inquiry} agentName={agent.name} />
    </div>
  )
}
