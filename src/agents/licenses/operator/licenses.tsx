import type { FastifyInstance } from 'fastify'
import { useVisit } from '../../../portal/context.ts'
import { sendDesk } from '../../../portal/desk.tsx'
import { OPERATOR } from '../../../portal/guard.ts'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { PAGE_SIZE } from '../../../ui/pager.tsx'
import { Empty, Panel } from '../../../ui/panels.tsx'
import { TabLinks } from '../../../ui/tabs.tsx'
import { Time } from '../../../ui/time.tsx'
import { listLicenseRequests } from '../service.ts'

type Status = 'pending' | 'verified' | 'refused'
type Request = Awaited<ReturnType<typeof listLicenseRequests>>[number]

export function registerLicensesDesk(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/operator/licences', OPERATOR, async (request, reply) => {
    const asked = (request.query as URLSearchParams).get('status')
    const status: Status = asked === 'verified' || asked === 'refused' ? asked : 'pending'
    const requests = await listLicenseRequests(db, status, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'licences' }, <Licenses status={status} requests={requests} />)
  })
}

function Licenses({ status, requests }: { status: Status; requests: Request[] }) {
  const { t } = useVisit()
  const tab = (value: Status, label: string) => ({
    href: `/portal/operator/licences?status=${value}`,
    label,
    here: status === value,
  })
  return (
    <Panel>
      <TabLinks
        label={t('Estatus', 'Status')}
        tabs={[
          tab('pending', t('Pendientes', 'Pending')),
          tab('verified', t('Verificadas', 'Verified')),
          tab('refused', t('Rechazadas', 'Rejected')),
        ]}
      />
      {requests.length === 0 ? (
        <Empty icon="shield" title={t('No hay solicitudes', 'No requests')} />
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {requests.map(one => (
            <li key={one.id}>
              <a
                href={`/portal/operator/licences/${one.id}`}
                class="flex flex-wrap items-center justify-between gap-3 py-4 hover:text-primary"
              >
                <span class="min-w-0">
                  <span class="block font-medium break-words">{one.name}</span>
                  <span class="block text-sm break-words text-base-content/70">
                    {one.state} · {one.number} · {one.email}
                  </span>
                </span>
                <span class="text-sm text-base-content/70">
                  <Time at={one.created_at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
