import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { Problem } from '../../lib/problem.ts'
import { type ListingRow, listOwn } from '../../listings/service.ts'
import { budgetOf, detailsOf, headlineOf } from '../../needs/portal/words.tsx'
import { findOnBoard, listMatching, type OnBoard } from '../../needs/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { Form, SelectField, type Shown, TextArea, TextField } from '../../ui/forms.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { offer } from '../proposals.ts'
import { HOME } from './words.tsx'

interface ById {
  Params: { id: string }
}

/** A longer list is not chosen from; the board of one listing fills it in. */
const LISTINGS_OFFERED = 200
const MAX_WISH = 500

/** The need in words, as it is on the board when the listing is offered. */
const wishIn = (lang: Lang) => (need: OnBoard) =>
  [headlineOf(need, lang), budgetOf(need, lang), ...detailsOf(need, lang)]
    .filter(Boolean)
    .join(' · ')
    .slice(0, MAX_WISH)

/** Offering an own listing to a colleague's need. */
export function registerOffer(app: FastifyInstance, { db }: PortalDeps): void {
  app.get<ById>('/needs/:id/offer', VERIFIED, (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/needs/:id/offer',
    access: 'verified',
    run: request =>
      offer(db, signedIn(request), request.params.id, {
        form: Object.fromEntries(request.form),
        wishOf: wishIn(request.visit.lang),
      }),
    redraw: send,
    done: ({ visit: { t } }, reply, id) => goTo(reply, `${HOME}/${id}`, t('Oferta enviada.', 'Offer sent.')),
  })

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, shown: Shown = {}) {
    const { t, lang } = request.visit
    const agent = signedIn(request)
    const need = await findOnBoard(db, request.params.id)
    if (!need || need.agent_id === agent.id) throw new Problem('not_found')
    const listing = (request.query as URLSearchParams).get('listing') ?? undefined
    return sendScreen(
      request,
      reply,
      {
        title: t('Ofrecer una propiedad', 'Offer a listing'),
        section: 'needs',
        subtitle: wishIn(lang)(need),
      },
      <OfferForm need={need} listings={await listOffered(agent.id, need)} values={{ listing }} {...shown} />,
    )
  }

  /** The agent's own, those that match first. */
  async function listOffered(agentId: string, need: OnBoard): Promise<ListingRow[]> {
    const { rows } = await listOwn(db, agentId, {
      status: 'published',
      after: undefined,
      limit: LISTINGS_OFFERED,
    })
    const ids = new Set(
      await listMatching(
        db,
        need.id,
        rows.map(row => row.id),
      ),
    )
    return [...rows.filter(row => ids.has(row.id)), ...rows.filter(row => !ids.has(row.id))]
  }
}

function OfferForm({ need, listings, ...shown }: Shown & { need: OnBoard; listings: ListingRow[] }) {
  const { t } = useVisit()
  if (listings.length === 0) {
    return (
      <Panel class="max-w-2xl">
        <Empty icon="home" title={t('No tienes propiedades publicadas', 'You have no published listings')} />
      </Panel>
    )
  }
  return (
    <Panel
      title={t(`Para ${need.agent_name}`, `To ${need.agent_name}`)}
      note={t(
        'Tu colega te responderá. Solo tu colega sabe quién es su cliente, hasta que lo comparta.',
        'Your colleague will answer. Only your colleague knows who the client is, until they share it.',
      )}
      class="max-w-2xl"
    >
      <Form action={`/portal/needs/${need.id}/offer`} {...shown}>
        <SelectField
          name="listing"
          label={t('Tu propiedad', 'Your listing')}
          empty={t('Elige una', 'Choose one')}
          options={listings.map(({ id, title }) => ({ value: id, label: title }))}
          required
        />
        <TextField
          name="split"
          label={t('Comisión para tu colega', 'Commission for your colleague')}
          hint={t(
            'Porcentaje del precio o texto. Si lo dejas vacío, la que comparte la propiedad.',
            'Percent of the price, or text. If empty, the one the listing shares.',
          )}
          maxlength={100}
        />
        <TextArea name="message" label={t('Mensaje', 'Message')} rows={4} maxlength={2_000} />
        <Submit class="self-start">{t('Enviar oferta', 'Send offer')}</Submit>
      </Form>
    </Panel>
  )
}
