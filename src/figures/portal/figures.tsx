import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { ActionButton } from '../../ui/buttons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import {
  findFigures,
  isMailStopped,
  type ListingFigures,
  listByListing,
  MONTH_DAYS,
  setMailStopped,
  sinceOf,
} from '../service.ts'
import { FigureStats, kindWords, SHOWN, SourcesPanel, ViewsPanel } from './parts.tsx'

const HERE = '/portal/figures'
const MOST_LISTINGS = 25

/** How often the agent's listings were seen and asked about. */
export function registerFigures(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get('/figures', async (request, reply) => {
    const { id: agentId } = signedIn(request)
    const at = now().getTime()
    const [found, listings, isStopped] = await Promise.all([
      findFigures(db, agentId, at),
      listByListing(db, { agentId, since: sinceOf(at, MONTH_DAYS) }, MOST_LISTINGS),
      isMailStopped(db, agentId),
    ])
    return sendScreen(
      request,
      reply,
      {
        title: request.visit.t('Estadísticas', 'Statistics'),
        section: 'figures',
        subtitle: request.visit.t(
          'Contamos sin cookies ni direcciones IP, y sin robots.',
          'Counted without cookies or IP addresses, bots excluded.',
        ),
      },
      <div class="flex min-w-0 flex-col gap-6">
        <FigureStats sum={found.sum} />
        <div class="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <ViewsPanel days={found.days} />
          <SourcesPanel bySource={found.bySource} />
        </div>
        <Listings listings={listings} />
        <WeeklyMail isStopped={isStopped} />
      </div>,
    )
  })

  formRoute(app, {
    path: '/figures/mail',
    access: 'agent',
    run: request => setMailStopped(db, signedIn(request).id, request.form.get('stop') === 'yes'),
    redraw: (_request, reply) => goTo(reply, HERE),
    done: ({ visit: { t } }, reply) => goTo(reply, HERE, t('Guardado.', 'Saved.')),
  })
}

function Listings({ listings }: { listings: ListingFigures[] }) {
  const { t } = useVisit()
  const words = kindWords(t)
  return (
    <Panel title={t('Las más vistas', 'Most viewed')} note={t(`${MONTH_DAYS} días`, `${MONTH_DAYS} days`)}>
      {listings.length === 0 ? (
        <Empty icon="building" title={t('Aún no hay estadísticas', 'No statistics yet')} />
      ) : (
        <div class="overflow-x-auto">
          <table class="table">
            <thead class="text-base-content">
              <tr>
                <th scope="col">{t('Propiedad', 'Listing')}</th>
                {SHOWN.map(kind => (
                  <th key={kind} scope="col" class="text-right">
                    {words[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {listings.map(listing => (
                <tr key={listing.id}>
                  <th scope="row" class="min-w-48 font-normal">
                    <a class="link" href={`/portal/listings/${listing.id}`}>
                      {listing.title}
                    </a>
                  </th>
                  {SHOWN.map(kind => (
                    <td key={kind} class="text-right tabular-nums">
                      {listing[kind]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

function WeeklyMail({ isStopped }: { isStopped: boolean }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Correo semanal', 'Weekly email')}>
      <p class="mb-3 text-sm">
        {isStopped
          ? t('Está desactivado.', 'It is turned off.')
          : t('Cada lunes, las estadísticas de tus propiedades.', 'Every Monday, your listings’ statistics.')}
      </p>
      <ActionButton action={`${HERE}/mail`} fields={{ stop: isStopped ? 'no' : 'yes' }}>
        {isStopped ? t('Activar', 'Turn on') : t('Desactivar', 'Turn off')}
      </ActionButton>
    </Panel>
  )
}
