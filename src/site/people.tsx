import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { agencyInList, agentInList } from '../agents/record.ts'
import type { AgencyInList, AgentInList } from '../agents/schema.ts'
import { listActiveAgencies } from '../agents/service.ts'
import { safeHref } from '../http/html.tsx'
import type { Lang } from '../lib/i18n.ts'
import { kebab } from '../lib/slug.ts'
import { foldText } from '../lib/text.ts'
import { LIMITS } from '../lookups/catalogue.ts'
import { AgencyLine, Avatar, ContactLinks, initialsOf, ListingGrid } from './cards.tsx'
import { NoPage } from './errors.tsx'
import { Icon } from './icons.tsx'
import { type Inquiry, InquirySection, inquiryLabel, newInquiry } from './inquiry-form.tsx'
import { Crumbs, Nothing, Pages, sendSitePage } from './layout.tsx'
import { agentData, crumbData } from './linked-data.tsx'
import type { Market, SiteDeps } from './market.ts'
import { findAgency, findAgent, listAgentIdsOfAgency, listAgentsOfAgency } from './store.ts'
import { localPath, useVisit, visitOf } from './visit.ts'
import { count, type Listing, pictureSrc } from './words.ts'

type Agent = Static<typeof AgentInList>
type Agency = Static<typeof AgencyInList>

const PER_PAGE = 24
/** A directory page stays well below 100 KB. */
const PER_DIRECTORY = 60

/** Slugs are plain; anything else is asked of nobody. */
const SLUG = /^[a-z0-9-]+$/

export const pageOf = (query: URLSearchParams): number => {
  const page = query.get('page') ?? '1'
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

const pageHref = (path: string, lang: Lang) => (page: number) =>
  localPath(lang, page > 1 ? `${path}?page=${page}` : path)

export function registerPeople(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { db, publicUrl } = deps

  app.get(localPath(lang, '/agentes'), async (request, reply) => {
    const query = request.query as URLSearchParams
    const wanted = (query.get('q') ?? '').trim().slice(0, 100)
    const page = pageOf(query)
    const all = (await market.directory()).map(row => agentInList(row, publicUrl))
    const fold = foldText(wanted)
    const agents = fold
      ? all.filter(agent =>
          foldText(`${agent.name} ${agent.agency?.name ?? ''} ${agent.states.join(' ')}`).includes(fold),
        )
      : all
    const pages = Math.ceil(agents.length / PER_DIRECTORY)
    const visit = visitOf(deps, lang, pageHref('/agentes', 'es')(page))
    const title = visit.t('Agentes inmobiliarios verificados', 'Verified real-estate agents')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Agentes con licencia verificada en todo México.',
          'Agents with a verified licence all over Mexico.',
        ),
        indexed: wanted === '' && page <= Math.max(1, pages),
      },
      <AgentDirectory
        title={title}
        wanted={wanted}
        total={agents.length}
        agents={agents.slice((page - 1) * PER_DIRECTORY, page * PER_DIRECTORY)}
        page={page}
        pages={pages}
      />,
    )
  })

  app.get<{ Params: { slug: string } }>(localPath(lang, '/agentes/:slug'), async (request, reply) => {
    const { slug } = request.params
    const row = SLUG.test(slug) ? await findAgent(db, slug) : undefined
    if (!row) throw new NoPage(lang)
    const agent = agentInList(row, publicUrl)
    const page = pageOf(request.query as URLSearchParams)
    const { listings } = await market.find({ agents: [row.id], page, limit: PER_PAGE })
    const path = `/agentes/${slug}`
    const visit = visitOf(deps, lang, pageHref(path, 'es')(page))
    const steps = [{ name: visit.t('Agentes', 'Agents'), path: '/agentes' }, { name: agent.name }]
    const inquiry = await newInquiry(deps, lang, path, { showings: false })
    return sendSitePage(
      reply,
      visit,
      {
        title: `${agent.name}${agent.agency ? ` · ${agent.agency.name}` : ''} | Lonja`,
        description: visit.t(
          `${agent.name}, agente inmobiliario verificado. ${agent.listings} propiedades publicadas${agent.states.length > 0 ? ` en ${agent.states.slice(0, 3).join(', ')}` : ''}.`,
          `${agent.name}, verified real-estate agent. ${agent.listings} published listings${agent.states.length > 0 ? ` in ${agent.states.slice(0, 3).join(', ')}` : ''}.`,
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

  app.get(localPath(lang, '/inmobiliarias'), async (request, reply) => {
    const page = pageOf(request.query as URLSearchParams)
    const agencies = (await listActiveAgencies(db, LIMITS.agencies)).map(row => agencyInList(row, publicUrl))
    const visit = visitOf(deps, lang, pageHref('/inmobiliarias', 'es')(page))
    const title = visit.t('Inmobiliarias', 'Agencies')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Las inmobiliarias que publican en Lonja.',
          'The agencies that publish on Lonja.',
        ),
      },
      <AgencyDirectory
        title={title}
        agencies={agencies.slice((page - 1) * PER_DIRECTORY, page * PER_DIRECTORY)}
        page={page}
        pages={Math.ceil(agencies.length / PER_DIRECTORY)}
      />,
    )
  })

  app.get<{ Params: { slug: string } }>(localPath(lang, '/inmobiliarias/:slug'), async (request, reply) => {
    const { slug } = request.params
    const row = SLUG.test(slug) ? await findAgency(db, slug) : undefined
    if (!row) throw new NoPage(lang)
    const agency = agencyInList(row, publicUrl)
    const page = pageOf(request.query as URLSearchParams)
    const members = await listAgentIdsOfAgency(db, row.id)
    const { listings, pagination } = await market.find({ agents: members, page, limit: PER_PAGE })
    const agents = (await listAgentsOfAgency(db, row.id, PER_DIRECTORY)).map(one =>
      agentInList(one, publicUrl),
    )
    const path = `/inmobiliarias/${slug}`
    const visit = visitOf(deps, lang, pageHref(path, 'es')(page))
    const steps = [
      { name: visit.t('Inmobiliarias', 'Agencies'), path: '/inmobiliarias' },
      { name: agency.name },
    ]
    return sendSitePage(
      reply,
      visit,
      {
        title: `${agency.name} | Lonja`,
        description: visit.t(
          `${agency.name}: sus agentes y sus propiedades publicadas.`,
          `${agency.name}: its agents and published listings.`,
        ),
        kind: 'profile',
        image: agency.logo_url ?? undefined,
        data: [
          {
            '@context': 'https://schema.org',
            '@type': 'RealEstateAgent',
            name: agency.name,
            url: publicUrl + localPath(lang, path),
            ...(agency.logo_url ? { logo: agency.logo_url } : {}),
          },
          crumbData(steps, visit),
        ],
      },
      <AgencyPage
        agency={agency}
        agents={agents}
        listings={listings}
        total={pagination.total}
        steps={steps}
        page={page}
        path={path}
      />,
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
  const hrefOf = (page: number) =>
    to(
      `/agentes?${new URLSearchParams({ ...(props.wanted ? { q: props.wanted } : {}), page: String(page) })}`,
    )
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
      {props.agents.length === 0 && <Nothing title={t('Nadie con ese nombre', 'Nobody by that name')} />}
      <ul class="people">
        {props.agents.map(agent => (
          <PersonCard agent={agent} />
        ))}
      </ul>
      <Pages page={props.page} pages={props.pages} hrefOf={hrefOf} />
    </div>
  )
}

function PersonCard({ agent }: { agent: Agent }) {
  const { t, to } = useVisit()
  return (
    <li>
      <a class="person" href={to(`/agentes/${agent.slug}`)}>
        <Avatar name={agent.name} />
        <span class="min-w-0">
          <strong>{agent.name}</strong>
          {agent.agency && <span>{agent.agency.name}</span>}
          <span>
            {agent.listings === 1
              ? t('1 propiedad', '1 listing')
              : t(`${agent.listings} propiedades`, `${agent.listings} listings`)}
            {agent.states.length > 0 && ` · ${agent.states.slice(0, 2).join(', ')}`}
          </span>
        </span>
      </a>
    </li>
  )
}

type Steps = { name: string; path?: string }[]

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
        <Avatar name={agent.name} large />
        <div class="min-w-0 grow">
          <h1 class="page-title">{agent.name}</h1>
          <p class="verified">
            <Icon name="check" size={16} />{' '}
            {t('Agente con licencia verificada', 'Agent with a verified licence')}
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

function Published(props: { listings: Listing[]; page: number; total: number; path: string }) {
  const { lang, t } = useVisit()
  return (
    <>
      {props.listings.length > 0 ? (
        <ListingGrid listings={props.listings} eager={3} />
      ) : (
        <Nothing icon="home" title={t('Por ahora no hay propiedades aquí', 'No properties here for now')} />
      )}
      <Pages
        page={props.page}
        pages={Math.ceil(props.total / PER_PAGE)}
        hrefOf={pageHref(props.path, lang)}
      />
    </>
  )
}

function AgencyDirectory(props: { title: string; agencies: Agency[]; page: number; pages: number }) {
  const { lang, t, to } = useVisit()
  return (
    <div class="wrap py-10">
      <h1 class="page-title">{props.title}</h1>
      <ul class="people mt-8">
        {props.agencies.map(agency => (
          <li>
            <a class="person" href={to(`/inmobiliarias/${agency.slug}`)}>
              <Logo agency={agency} />
              <span class="min-w-0">
                <strong>{agency.name}</strong>
                <span>
                  {agency.agents === 1
                    ? t('1 agente', '1 agent')
                    : t(`${agency.agents} agentes`, `${agency.agents} agents`)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <Pages page={props.page} pages={props.pages} hrefOf={pageHref('/inmobiliarias', lang)} />
    </div>
  )
}

function Logo({ agency, large = false }: { agency: Agency; large?: boolean }) {
  const { publicUrl } = useVisit()
  if (!agency.logo_url) {
    return (
      <span class={`avatar-initials is-square ${large ? 'is-large' : ''}`} aria-hidden="true">
        {initialsOf(agency.name)}
      </span>
    )
  }
  return (
    <img
      class={`logo ${large ? 'is-large' : ''}`}
      src={pictureSrc(safeHref(agency.logo_url), publicUrl)}
      alt=""
      width="96"
      height="64"
      loading="lazy"
      referrerpolicy="no-referrer"
      data-picture
    />
  )
}

function AgencyPage(props: {
  agency: Agency
  agents: Agent[]
  listings: Listing[]
  total: number
  steps: Steps
  page: number
  path: string
}) {
  const { lang, t } = useVisit()
  const { agency, agents, listings, total } = props
  return (
    <div class="wrap pb-16">
      <Crumbs steps={props.steps} />
      <header class="profile">
        <Logo agency={agency} large />
        <div class="min-w-0">
          <h1 class="page-title">{agency.name}</h1>
          <p class="mt-1 opacity-80">
            {agency.agents === 1
              ? t('1 agente verificado', '1 verified agent')
              : t(`${agency.agents} agentes verificados`, `${agency.agents} verified agents`)}{' '}
            · {t(`${count(total, lang)} propiedades`, `${count(total, lang)} listings`)}
          </p>
        </div>
      </header>
      {agents.length > 0 && (
        <section class="listing-section">
          <h2>{t('Agentes', 'Agents')}</h2>
          <ul class="people">
            {agents.map(agent => (
              <PersonCard agent={agent} />
            ))}
          </ul>
        </section>
      )}
      <section class="listing-section">
        <h2>{t('Propiedades publicadas', 'Published listings')}</h2>
        <Published listings={listings} page={props.page} total={total} path={props.path} />
      </section>
    </div>
  )
}
