import type { FastifyInstance, FastifyRequest } from 'fastify'
import { groupBy } from '../../lib/groups.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { dismiss, fix, listFindings, type Shown } from '../service.ts'
import { Findings, HOME } from './findings.tsx'

const SHOWN = 200

export function registerDoctorScreens(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/doctor', async (request, reply) => {
    const { t } = request.visit
    const findings = await listFindings(db, signedIn(request).id, { limit: SHOWN })
    return sendScreen(
      request,
      reply,
      {
        title: t('Por revisar', 'To review'),
        section: 'listings',
        subtitle: t(
          'Lo que parece un error en tus anuncios. Nada cambia hasta que tú lo decidas.',
          'What looks like a mistake in your listings. Nothing changes until you say so.',
        ),
        actions: (
          <a class="btn btn-ghost btn-sm" href="/portal/listings">
            {t('Tus propiedades', 'Your listings')}
          </a>
        ),
      },
      <ByListing findings={findings} />,
    )
  })

  formRoute(app, {
    path: '/doctor/:id/:kind/fix',
    run: request => fix(db, signedIn(request).id, request.params.id, kindOf(request)),
    done: (request, reply) => goTo(reply, backOf(request), request.visit.t('Corregido.', 'Corrected.')),
  })

  formRoute(app, {
    path: '/doctor/:id/:kind/dismiss',
    run: request =>
      dismiss(db, signedIn(request).id, request.params.id, kindOf(request), request.form.get('other')),
    done: (request, reply) =>
      goTo(reply, backOf(request), request.visit.t('Marcado como correcto.', 'Marked as correct.')),
  })
}

type OfOne = FastifyRequest<{ Params: { id: string } }>
const kindOf = ({ params }: OfOne) => (params as { kind?: string }).kind ?? ''
const backOf = ({ params, form }: OfOne) =>
  form.get('back') === 'listing' ? `/portal/listings/${params.id}` : HOME

function ByListing({ findings }: { findings: Shown[] }) {
  const { t } = useVisit()
  if (findings.length === 0) {
    return (
      <Panel>
        <Empty icon="check" title={t('Todo en orden', 'All in order')}>
          {t(
            'Revisamos cada anuncio poco después de cada cambio.',
            'We check each listing soon after each change.',
          )}
        </Empty>
      </Panel>
    )
  }
  const byListing = groupBy(findings, finding => finding.listing_id)
  return (
    <div class="flex min-w-0 flex-col gap-4">
      {[...byListing].map(([id, found]) => (
        <Panel
          key={id}
          title={found[0]?.title ?? ''}
          actions={
            <a class="link text-sm" href={`/portal/listings/${id}`}>
              {t('Abrir', 'Open')}
            </a>
          }
        >
          <Findings findings={found} back="list" />
        </Panel>
      ))}
    </div>
  )
}
