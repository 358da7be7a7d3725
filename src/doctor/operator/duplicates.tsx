import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { OPERATOR } from '../../portal/guard.ts'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { type Duplicate, listDuplicates } from '../service.ts'

const SHOWN = 300

export function registerDuplicatesDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/duplicates', OPERATOR, async (request, reply) =>
    sendDesk(
      request,
      reply,
      { tab: 'duplicates' },
      <Duplicates duplicates={await listDuplicates(db, SHOWN)} />,
    ),
  )
}

function Duplicates({ duplicates }: { duplicates: Duplicate[] }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Duplicados entre agentes', 'Duplicates between agents')}
      note={t(
        'Las mismas fotos o la misma propiedad en anuncios de dos agentes.',
        'The same photos or the same property in two agents’ listings.',
      )}
    >
      {duplicates.length === 0 ? (
        <Empty icon="check" title={t('No hay duplicados', 'No duplicates')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {duplicates.map(one => (
            <li key={`${one.kind} ${one.slug} ${one.other_slug}`} class="flex min-w-0 flex-col gap-1 py-3">
              <p class="flex flex-wrap items-center gap-2 text-sm">
                <Badge>
                  {one.kind === 'same_photos'
                    ? t('Mismas fotos', 'Same photos')
                    : t('Misma propiedad', 'Same property')}
                </Badge>
                <Time at={one.found_at} />
              </p>
              <OneSide title={one.title} slug={one.slug} agent={one.agent} />
              <OneSide title={one.other_title} slug={one.other_slug} agent={one.other_agent} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function OneSide({ title, slug, agent }: { title: string; slug: string; agent: string }) {
  return (
    <p class="min-w-0 break-words">
      <a class="link" href={`/propiedades/${slug}`}>
        {title}
      </a>{' '}
      <span class="text-sm text-base-content/70">{agent}</span>
    </p>
  )
}
