import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import type { Inventory } from '../inventory.ts'
import { sendSitePage } from '../layout.tsx'
import type { Market, SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { count } from '../words.ts'
import { stateBySlug, sum } from './states.ts'
import { StatesMap } from './states-map.tsx'

export function registerCountry(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get(localPath(lang, '/mx'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/mx')
    const title = visit.t('Propiedades por estado y ciudad', 'Properties by state and city')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Casas, departamentos y terrenos en los 32 estados de México.',
          'Houses, apartments and land in the 32 states of Mexico.',
        ),
      },
      <Country title={title} inventory={await market.inventory()} />,
    )
  })
}

function Country({ title, inventory }: { title: string; inventory: Inventory }) {
  const { lang, to } = useVisit()
  const states = [...stateBySlug].sort(([, a], [, b]) => a.localeCompare(b, 'es'))
  return (
    <div class="wrap py-10">
      <h1 class="page-title">{title}</h1>
      <div class="mx-auto max-w-4xl py-6">
        <StatesMap inventory={inventory} />
      </div>
      <div class="state-list">
        {states.map(([slug, name]) => {
          const cities = inventory.get(name) ?? []
          return (
            <section>
              <h2>
                <a href={to(`/mx/${slug}`)}>{name}</a> <span>{count(sum(cities), lang)}</span>
              </h2>
              <p>
                {cities.slice(0, 4).map((city, i) => (
                  <>
                    {i > 0 && ', '}
                    <a href={to(`/mx/${slug}/${city.slug}`)}>{city.name}</a>
                  </>
                ))}
              </p>
            </section>
          )
        })}
      </div>
    </div>
  )
}
