import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { sendDocument } from '../../files/documents.ts'
import { Problem } from '../../lib/problem.ts'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, type Shown, TextArea } from '../../ui/forms.tsx'
import { PAGE_SIZE } from '../../ui/pager.tsx'
import { Empty, type Fact, Facts, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { Thread } from '../portal/thread.tsx'
import { StateBadge } from '../portal/words.tsx'
import { type CooperationInList, findDisputed, listDisputed, resolveDispute } from '../service.ts'
import { threadHash } from '../thread/hash.ts'

interface ById {
  Params: { id: string }
}

const LIST = '/portal/operator/disputes'
const subjectOf = ({ id, buyer_agent_name, owner_name }: CooperationInList) => ({
  subject: `${buyer_agent_name} / ${owner_name}`,
  subjectId: id,
})

export function registerDisputesDesk(app: FastifyInstance, { db, files }: PortalDeps): void {
  app.get('/operator/disputes', OPERATOR, async (request, reply) => {
    const rows = await listDisputed(db, PAGE_SIZE)
    return sendDesk(request, reply, { tab: 'disputes' }, <Disputes rows={rows} />)
  })

  app.get<ById>('/operator/disputes/:id', OPERATOR, (request, reply) => send(request, reply))

  app.get<{ Params: { id: string; entry: string } }>(
    '/operator/disputes/:id/files/:entry',
    OPERATOR,
    async (request, reply) => {
      const { entries } = await findDisputed(db, request.params.id)
      const file = entries.find(entry => String(entry.id) === request.params.entry)?.file
      if (!file) throw new Problem('not_found')
      return sendDocument(reply, files, file)
    },
  )

  formRoute(app, {
    path: '/operator/disputes/:id/resolve',
    access: 'operator',
    read: async request => (await findDisputed(db, request.params.id)).cooperation,
    run: (request, cooperation) => {
      const note = request.form.get('text') ?? ''
      return onRecord(
        db,
        signedIn(request),
        tx => resolveDispute(tx, signedIn(request).id, cooperation.id, note),
        () => ({ action: 'cooperation.resolve', ...subjectOf(cooperation), note }),
      )
    },
    redraw: send,
    done: ({ visit: { t } }, reply) => goTo(reply, LIST, t('Desacuerdo cerrado.', 'Dispute resolved.')),
  })

  /** Reading a reported thread is on record. */
  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const { cooperation, entries } = await onRecord(
      db,
      signedIn(request),
      tx => findDisputed(tx, request.params.id),
      found => ({ action: 'cooperation.open', ...subjectOf(found.cooperation) }),
    )
    return sendDesk(
      request,
      reply,
      { tab: 'disputes', title: cooperation.listing_title },
      <Dispute cooperation={cooperation} {...shown}>
        <Thread
          entries={entries}
          hash={threadHash(entries)}
          path={`${LIST}/${cooperation.id}`}
          isOffer={cooperation.proposed_by === 'owner'}
        />
      </Dispute>,
    )
  }
}

function Disputes({ rows }: { rows: CooperationInList[] }) {
  const { t } = useVisit()
  return (
    <Panel>
      {rows.length === 0 ? (
        <Empty icon="handshake" title={t('Sin desacuerdos', 'No disputes')}>
          {t(
            'Aquí aparece una cooperación cuando uno de los dos agentes la reporta.',
            'A cooperation appears here when one of the two agents reports it.',
          )}
        </Empty>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {rows.map(row => (
            <li key={row.id} class="flex flex-wrap items-center justify-between gap-3 py-4">
              <a class="link link-hover font-medium break-words" href={`${LIST}/${row.id}`}>
                {row.buyer_agent_name} / {row.owner_name}: {row.listing_title}
              </a>
              <span class="flex items-center gap-2 text-sm">
                <StateBadge state={row.state} />
                {row.disputed_at && <Time at={row.disputed_at} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Dispute({
  cooperation,
  children,
  ...shown
}: Shown & { cooperation: CooperationInList; children: ComponentChildren }) {
  const { t } = useVisit()
  const facts: Fact[] = [
    [
      t('Propone', 'Proposed by'),
      cooperation.proposed_by === 'buyer' ? cooperation.buyer_agent_name : cooperation.owner_name,
    ],
    [t('Agente del cliente', 'Client’s agent'), cooperation.buyer_agent_name],
    [t('Agente de la propiedad', 'Listing agent'), cooperation.owner_name],
    [t('Estatus', 'Status'), <StateBadge state={cooperation.state} />],
    [t('Comisión', 'Split'), cooperation.split],
  ]
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      {children}
      <Panel title={t('Desacuerdo', 'Dispute')} class="self-start">
        <div class="flex flex-col gap-4">
          <Facts facts={facts} stacked />
          <Form action={`${LIST}/${cooperation.id}/resolve`} class="flex flex-col gap-3" {...shown}>
            <TextArea
              name="text"
              label={t('Conclusión', 'Conclusion')}
              hint={t(
                'Ambos la leen en el hilo. Después ya no podrás abrirlo.',
                'Both read it in the thread. You cannot open it afterwards.',
              )}
              rows={3}
              maxlength={2_000}
              required
            />
            <Submit class="self-start">{t('Cerrar el desacuerdo', 'Resolve the dispute')}</Submit>
          </Form>
        </div>
      </Panel>
    </div>
  )
}
