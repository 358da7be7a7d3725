import type { FastifyInstance } from 'fastify'
import { countPending } from '../../agents/licenses/service.ts'
import { countMembers } from '../../agents/service.ts'
import { countAlerts } from '../../alerts/service.ts'
import type { Db } from '../../db/database.ts'
import { countLiveKeys } from '../../keys/service.ts'
import { numberText } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badges.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../ui/pager.tsx'
import { Empty, Panel, Stat } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { countFailing, countWaiting } from '../../webhooks/service.ts'
import { type Action, listAudit } from '../audit.ts'
import { useVisit } from '../context.ts'
import { sendDesk } from '../desk.tsx'
import { OPERATOR } from '../guard.ts'
import { countSessions } from '../sessions.ts'
import type { PortalDeps } from '../shell.tsx'
import { findSystem } from './system.ts'

interface OperatorDeps extends PortalDeps {
  isSearchReady(): boolean
  /** Undefined while search loads. */
  countPublic(): Promise<number | undefined>
}

/** Operator screens outside the nouns: overview, system and audit log. */
export function registerOperator(
  app: FastifyInstance,
  { db, isSearchReady, countPublic }: OperatorDeps,
): void {
  app.get('/operator', OPERATOR, async (request, reply) => {
    const [counts, listings] = await Promise.all([findDeskCounts(db), countPublic()])
    return sendDesk(
      request,
      reply,
      { tab: 'overview', title: request.visit.t('Operación', 'Operator') },
      <Overview counts={{ ...counts, listings }} />,
    )
  })

  app.get('/operator/health', OPERATOR, async (request, reply) => {
    const health = await findHealth(db)
    return sendDesk(
      request,
      reply,
      { tab: 'health' },
      <System health={health} isSearchReady={isSearchReady()} />,
    )
  })

  app.get('/operator/audit', OPERATOR, async (request, reply) => {
    const page = pageOf(request)
    const entries = await listAudit(db, rangeOf(page))
    return sendDesk(request, reply, { tab: 'audit' }, <Audit {...pageFrom(entries, page)} />)
  })
}

async function findDeskCounts(db: Db) {
  const [members, licences, keys, failing, alerts] = await Promise.all([
    countMembers(db),
    countPending(db),
    countLiveKeys(db),
    countFailing(db),
    countAlerts(db),
  ])
  return { ...members, licences, keys, failing, alerts }
}

async function findHealth(db: Db) {
  const [system, deliveries, sessions] = await Promise.all([
    findSystem(db),
    countWaiting(db),
    countSessions(db),
  ])
  return { ...system, ...deliveries, sessions }
}

type DeskCounts = Awaited<ReturnType<typeof findDeskCounts>> & { listings: number | undefined }

function Overview({ counts }: { counts: DeskCounts }) {
  const { t, lang } = useVisit()
  const [agents, unconfirmed] = [counts.agents, counts.alerts.unconfirmed].map(one => numberText(one, lang))
  return (
    <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
      <Stat
        label={t('Licencias por revisar', 'Licenses to review')}
        value={counts.licences}
        href="/portal/operator/licences"
      />
      <Stat
        label={t('Agentes verificados', 'Verified agents')}
        value={counts.verified}
        note={t(`de ${agents}`, `of ${agents}`)}
        href="/portal/operator/agents"
      />
      <Stat
        label={t('Inmobiliarias activas', 'Active agencies')}
        value={counts.agencies}
        href="/portal/operator/agencies"
      />
      <Stat
        label={t('Propiedades públicas', 'Public listings')}
        value={counts.listings ?? '–'}
        href="/portal/operator/listings"
      />
      <Stat label={t('Llaves en uso', 'Keys in use')} value={counts.keys} href="/portal/operator/keys" />
      <Stat
        label={t('Webhooks con fallas', 'Failing webhooks')}
        value={counts.failing}
        href="/portal/operator/webhooks"
      />
      <Stat
        label={t('Avisos de visitantes', 'Visitors’ alerts')}
        value={counts.alerts.confirmed}
        note={t(`${unconfirmed} sin activar`, `${unconfirmed} not turned on`)}
      />
    </div>
  )
}

function System({
  health,
  isSearchReady,
}: {
  health: Awaited<ReturnType<typeof findHealth>>
  isSearchReady: boolean
}) {
  const { t, lang } = useVisit()
  const number = (value: number) => numberText(value, lang)
  const minutes = number(Math.floor(process.uptime() / 60))
  const memory = number(Math.round(process.memoryUsage().rss / 1024 / 1024))
  const ok = (isOk: boolean) => (
    <Badge tone={isOk ? 'success' : 'error'}>{isOk ? t('Bien', 'OK') : t('Atención', 'Check')}</Badge>
  )
  const rows = [
    [t('Base de datos', 'Database'), `PostgreSQL ${health.version} · ${health.size}`, ok(true)],
    [
      t('Búsqueda', 'Search'),
      isSearchReady ? t('Lista', 'Ready') : t('Cargando', 'Loading'),
      ok(isSearchReady),
    ],
    [
      t('Trabajos en espera', 'Jobs waiting'),
      t(
        `${number(health.jobs)}, ${number(health.failedJobs)} con fallas`,
        `${number(health.jobs)}, ${number(health.failedJobs)} failing`,
      ),
      ok(health.failedJobs === 0),
    ],
    [
      t('Entregas de webhooks en espera', 'Webhook deliveries waiting'),
      health.oldestWaiting
        ? t(
            `${number(health.waiting)}, desde hace ${number(health.oldestWaiting)} s`,
            `${number(health.waiting)}, for ${number(health.oldestWaiting)} s`,
          )
        : number(health.waiting),
      ok((health.oldestWaiting ?? 0) < 60),
    ],
    [t('Sesiones abiertas', 'Active sessions'), number(health.sessions), null],
    [
      t('Proceso', 'Process'),
      t(`${minutes} min en marcha, ${memory} MB`, `up ${minutes} min, ${memory} MB`),
      null,
    ],
    ['Node.js', process.version, null],
  ] as const
  return (
    <Panel>
      <dl class="flex flex-col divide-y divide-base-300">
        {rows.map(([label, value, badge]) => (
          <div key={label} class="grid items-center gap-1 py-3 sm:grid-cols-[16rem_minmax(0,1fr)]">
            <dt class="text-base-content/70">{label}</dt>
            <dd class="flex flex-wrap justify-between gap-2 break-words">
              {value}
              {badge}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

type Entry = Awaited<ReturnType<typeof listAudit>>[number]

function Audit({ rows: entries, page, hasMore }: PageOf<Entry>) {
  const { t } = useVisit()
  const words: Record<Action, string> = {
    'licence.verify': t('Verificó una licencia', 'Verified a license'),
    'licence.refuse': t('Rechazó una licencia', 'Rejected a license'),
    'licence.open': t('Abrió un documento de licencia', 'Opened a license document'),
    'agent.verify': t('Verificó a un agente', 'Verified an agent'),
    'agent.unverify': t('Quitó la verificación', 'Revoked verification'),
    'agent.test': t('Marcó como cuenta de prueba', 'Marked as a test account'),
    'agent.untest': t('Marcó como cuenta real', 'Marked as a real account'),
    'agent.assign': t('Asignó inmobiliaria', 'Assigned an agency'),
    'agent.sign-out': t('Cerró las sesiones de un agente', 'Ended an agent’s sessions'),
    'agency.create': t('Creó una inmobiliaria', 'Created an agency'),
    'agency.activate': t('Activó una inmobiliaria', 'Activated an agency'),
    'agency.deactivate': t('Desactivó una inmobiliaria', 'Deactivated an agency'),
    'listing.feature': t('Destacó una propiedad', 'Featured a listing'),
    'listing.unfeature': t('Quitó un destacado', 'Unfeatured a listing'),
    'listing.suspend': t('Suspendió una propiedad', 'Suspended a listing'),
    'listing.lift': t('Levantó una suspensión', 'Lifted a suspension'),
    'listing.import': t('Marcó como importada', 'Marked as imported'),
    'listing.unimport': t('Quitó la marca de importada', 'Unmarked as imported'),
    'key.revoke': t('Revocó una llave', 'Revoked a key'),
    'webhook.pause': t('Pausó un webhook', 'Paused a webhook'),
    'widget.revoke': t('Revocó un widget', 'Revoked a widget'),
    'feed.revoke': t('Revocó un feed', 'Revoked a feed'),
    'identification.open': t('Abrió una identificación', 'Opened an identification'),
    'identification.verify': t('Aceptó una identificación', 'Accepted an identification'),
    'identification.refuse': t('Rechazó una identificación', 'Rejected an identification'),
    'person.find': t('Buscó los datos de una persona (prospectos)', 'Looked up a person’s data (leads)'),
    'person.export': t('Descargó los datos de una persona (prospectos)', 'Exported a person’s data (leads)'),
    'person.erase': t('Eliminó los datos de una persona (prospectos)', 'Erased a person’s data (leads)'),
    'rate.set': t('Guardó un tipo de cambio', 'Set an exchange rate'),
    'limits.change': t('Cambió los límites', 'Changed the limits'),
    'notice.change': t('Cambió el aviso de privacidad', 'Changed the privacy notice'),
    'cooperation.open': t('Abrió un desacuerdo', 'Opened a dispute'),
    'cooperation.resolve': t('Cerró un desacuerdo', 'Resolved a dispute'),
  }
  return (
    <Panel>
      {entries.length === 0 ? (
        <Empty icon="document" title={t('Nada todavía', 'Nothing yet')}>
          {t(
            'Aquí queda registrada cada acción de los operadores.',
            'Every operator action is recorded here.',
          )}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {entries.map(entry => (
            <li key={entry.id} class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
              <div class="min-w-0">
                <p class="break-words">
                  <span class="font-medium">{words[entry.action as Action] ?? entry.action}</span>:{' '}
                  {entry.subject}
                </p>
                {entry.note && <p class="text-sm break-words text-base-content/70">{entry.note}</p>}
              </div>
              <p class="text-sm text-base-content/70">
                {entry.operator ?? t('línea de comandos', 'command line')} · <Time at={entry.at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref('/portal/operator/audit')} />
    </Panel>
  )
}
