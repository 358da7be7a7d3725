import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findOwnLead, type LeadRow, searchLeads } from '../../leads/service.ts'
import { Problem } from '../../lib/problem.ts'
import type { MarketListing } from '../../market/record.ts'
import { findListing, type MarketDeps } from '../../market/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField, type Shown, TextArea, TextField } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { propose } from '../proposals.ts'
import { HOME } from './words.tsx'

interface ById {
  Params: { id: string }
}

const LEADS_OFFERED = 50

export function registerPropose(app: FastifyInstance, deps: MarketDeps): void {
  const { db } = deps

  app.get<ById>('/market/:id/propose', VERIFIED, (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/market/:id/propose',
    access: 'verified',
    run: request => propose(db, signedIn(request), request.params.id, Object.fromEntries(request.form)),
    redraw: send,
    done: ({ visit: { t } }, reply, id) =>
      goTo(reply, `${HOME}/${id}`, t('Propuesta enviada.', 'Proposal sent.')),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const agent = signedIn(request)
    const listing = await findListing(deps, request.params.id, agent.id)
    if (!listing?.isPublished || listing.isOwn) throw new Problem('not_found')
    const leadId = (request.query as URLSearchParams).get('lead') ?? ''
    const lead = await findOwnLead(db, agent.id, leadId)
    const latest = await searchLeads(db, agent.id, {}, { limit: LEADS_OFFERED })
    const leads = lead ? [lead, ...latest.filter(one => one.id !== lead.id)] : latest
    const filled = { lead: lead?.id, wish: lead?.message?.slice(0, 500), split: listing.commission }
    return sendScreen(
      request,
      reply,
      {
        title: t('Proponer cooperación', 'Propose a cooperation'),
        section: 'cooperations',
        subtitle: listing.record.title,
      },
      <ProposeForm listing={listing} leads={leads} values={filled} {...shown} />,
    )
  }
}

function ProposeForm({ listing, leads, ...shown }: Shown & { listing: MarketListing; leads: LeadRow[] }) {
  const { t } = useVisit()
  const options = leads.filter(lead => !lead.erased_at).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Panel
      title={t(`Para ${listing.contact.name}`, `To ${listing.contact.name}`)}
      note={t(
        'Tu colega ve las iniciales de tu cliente, no su nombre ni su contacto, hasta que tú los compartas.',
        'Your colleague sees your client’s initials, not the name or contact, until you share them.',
      )}
      class="max-w-2xl"
    >
      <Form action={`/portal/market/${listing.record.slug}/propose`} {...shown}>
        <SelectField
          name="lead"
          label={t('Tu prospecto', 'Your lead')}
          empty={t('Sin vincular', 'Not linked')}
          options={options}
        />
        <TextField
          name="client"
          label={t('Iniciales de tu cliente', 'Your client’s initials')}
          hint={t(
            'Si vinculas un prospecto, las tomamos de su nombre.',
            'If you link a lead, they come from its name.',
          )}
          maxlength={10}
        />
        <TextArea name="wish" label={t('Qué busca', 'What they are looking for')} rows={3} maxlength={500} />
        <TextField
          name="split"
          label={t('Comisión para ti', 'Commission for you')}
          hint={t(
            'Porcentaje del precio o texto. Empezamos con la que comparte la propiedad.',
            'Percent of the price, or text. It starts as the one the listing shares.',
          )}
          maxlength={100}
        />
        <TextArea
          name="message"
          label={t('Mensaje', 'Message')}
          hint={t(
            'El hilo no se puede editar: no escribas datos de tu cliente.',
            'The thread cannot be edited: do not write your client’s details.',
          )}
          rows={4}
          maxlength={2_000}
        />
        <Submit class="self-start">{t('Enviar propuesta', 'Send proposal')}</Submit>
      </Form>
    </Panel>
  )
}
