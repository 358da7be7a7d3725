import type { FastifyInstance } from 'fastify'
import { WINDOW_MINUTES } from '../../http/rate-limit.ts'
import { numberText } from '../../lib/i18n.ts'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton } from '../../ui/buttons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { listKeys, revokeKey } from '../service.ts'

interface KeyDeps extends PortalDeps {
  requestsOf(keyId: string): Promise<number>
}

const SHOWN = 300

export function registerKeysOperator(app: FastifyInstance, { db, requestsOf }: KeyDeps): void {
  app.get('/operator/keys', OPERATOR, async (request, reply) => {
    const live = (await listKeys(db)).filter(key => key.revoked_at === null)
    const counted = live.map(async ({ id, ...key }) => ({ ...key, requests: await requestsOf(id) }))
    const keys = (await Promise.all(counted)).sort(
      (a, b) => b.requests - a.requests || lastUse(b) - lastUse(a),
    )
    return sendDesk(request, reply, { tab: 'keys' }, <Keys keys={keys.slice(0, SHOWN)} total={live.length} />)
  })

  formRoute(app, {
    path: '/operator/keys/:prefix/revoke',
    access: 'operator',
    run: request => {
      const { prefix } = request.params
      return onRecord(
        db,
        signedIn(request),
        tx => revokeKey(tx, prefix),
        () => ({ action: 'key.revoke', subject: `svc_${prefix}_…` }),
      )
    },
    done: ({ visit }, reply) =>
      goTo(reply, '/portal/operator/keys', visit.t('Llave revocada.', 'Key revoked.')),
  })
}

const lastUse = (key: { last_used_at: Date | null }) => key.last_used_at?.getTime() ?? 0

type Key = Omit<Awaited<ReturnType<typeof listKeys>>[number], 'id'> & { requests: number }

function Keys({ keys, total }: { keys: Key[]; total: number }) {
  const { t, lang } = useVisit()
  const number = (value: number) => numberText(value, lang)
  return (
    <Panel
      title={t(`${number(total)} llaves en uso`, `${number(total)} keys in use`)}
      note={t('Primero las de más tráfico.', 'Most traffic first.')}
    >
      {keys.length === 0 ? (
        <Empty icon="key" title={t('Aún no hay llaves', 'No keys yet')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {keys.map(key => (
            <li key={key.prefix} class="flex flex-wrap items-center justify-between gap-3 py-3">
              <div class="min-w-0">
                <p class="flex flex-wrap items-center gap-2 font-medium break-words">
                  {key.label} <Badge>{key.scopes.join(', ')}</Badge>
                </p>
                <p class="text-sm break-words text-base-content/70">
                  <code>svc_{key.prefix}_…</code> · {key.agent} ·{' '}
                  {key.last_used_at ? <Time at={key.last_used_at} /> : t('sin usar', 'never used')}
                </p>
              </div>
              <div class="flex items-center gap-4">
                <span class="text-sm tabular-nums">
                  {t(
                    `${number(key.requests)} en ${WINDOW_MINUTES} min`,
                    `${number(key.requests)} in ${WINDOW_MINUTES} min`,
                  )}
                </span>
                <DangerButton
                  action={`/portal/operator/keys/${key.prefix}/revoke`}
                  label={t('Revocar', 'Revoke')}
                  question={t(
                    'Lo que use esta llave dejará de funcionar al instante. No se puede deshacer.',
                    'Anything that uses this key stops working immediately. This cannot be undone.',
                  )}
                  yes={t('Revocar llave', 'Revoke key')}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
