import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { safeHref } from '../../http/html.tsx'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug } from '../../lib/slug.ts'
import { LIMITS } from '../../lookups/catalog.ts'
import { initialsOf } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Crumbs, sendSitePage } from '../../site/layout.tsx'
import { crumbData } from '../../site/linked-data.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, visitOf } from '../../site/visit.ts'
import { count, type Listing, pictureSrc } from '../../site/words.ts'
import { Pager, pageHref, pageOf } from '../../ui/pager.tsx'
import { findAgency, listAgentIdsOfAgency, listAgentsOfAgency } from '../directory.ts'
import { agencyInList, agentInList } from '../record.ts'
import type { AgencyInList } from '../schema.ts'
import { listActiveAgencies } from '../service.ts'
import { type Agent, PER_DIRECTORY, PER_PAGE, PersonCard, Published, type Steps } from './people.tsx'

type Agency = Static<typeof AgencyInList>

export function registerAgencyPages(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  registerDirectory(app, deps, lang)
  registerAgency(app, deps, market, lang)
}

function registerDirectory(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  const { publicUrl, readerFor } = deps

  app.get(localPath(lang, '/inmobiliarias'), async (request, reply) => {
    const page = pageOf(request)
    const agencies = (await listActiveAgencies(readerFor(request), LIMITS.agencies)).map(row =>
      agencyInList(row, publicUrl),
    )
    const visit = visitOf(deps, lang, pageHref('/inmobiliarias')(page))
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
}

function registerAgency(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  const { publicUrl, readerFor } = deps

  app.get<{ Params: { slug: string } }>(localPath(lang, '/inmobiliarias/:slug'), async (request, reply) => {
    const { slug } = request.params
    const reader = readerFor(request)
    const row = isSlug(slug) ? await findAgency(reader, slug) : undefined
    if (!row) throw new NoPage(lang)
    const agency = agencyInList(row, publicUrl)
    const page = pageOf(request)
    const members = await listAgentIdsOfAgency(reader, row.id)
    const { listings, pagination } = await market.find({ agents: members, page, limit: PER_PAGE })
    const rows = await listAgentsOfAgency(reader, row.id, PER_DIRECTORY)
    const shareOf = await market.counts.sharesOf(rows.map(({ id }) => id))
    const agents = rows.map(one => ({
      ...agentInList(one, shareOf(one.id), publicUrl),
      photo: one.photo,
    }))
    const path = `/inmobiliarias/${slug}`
    const visit = visitOf(deps, lang, pageHref(path)(page))
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

function AgencyDirectory(props: { title: string; agencies: Agency[]; page: number; pages: number }) {
  const { t, to } = useVisit()
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
      <Pager page={props.page} pages={props.pages} hrefOf={pageHref(to('/inmobiliarias'))} />
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
