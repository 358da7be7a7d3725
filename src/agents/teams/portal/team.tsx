import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { useVisit } from '../../../portal/context.ts'
import { formRoute } from '../../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../../ui/buttons.tsx'
import { Face } from '../../../ui/face.tsx'
import { Form, SelectField, type Shown, TextField } from '../../../ui/forms.tsx'
import { allWords } from '../../../ui/messages.ts'
import { Empty, Panel } from '../../../ui/panels.tsx'
import {
  answerInvitation,
  findMembership,
  type Invitation,
  invite,
  leaveAgency,
  listInvitations,
  listInvitationsTo,
  listMembers,
  type Member,
  removeMember,
  withdrawInvitation,
} from '../service.ts'
import { TeamTabs } from './tabs.tsx'

const HERE = '/portal/team'

export function registerTeam(app: FastifyInstance, { db }: PortalDeps): void {
  app.get('/team', async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/team/invite',
    run: request => {
      const text = (name: string) => request.form.get(name)?.trim() ?? ''
      return invite(db, signedIn(request).id, { email: text('email'), assists: text('assists') })
    },
    redraw: send,
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Invitación enviada.', 'Invitation sent.')),
  })

  formRoute(app, {
    path: '/team/invitations/:id/withdraw',
    run: request => withdrawInvitation(db, signedIn(request).id, request.params.id),
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Invitación retirada.', 'Invitation withdrawn.')),
  })

  formRoute(app, {
    path: '/team/invitations/:id/answer',
    run: request =>
      answerInvitation(db, signedIn(request).id, request.params.id, request.form.get('answer') === 'accept'),
    redraw: ({ visit }, reply, { errors }) =>
      goTo(reply, HERE, { kind: 'error', text: allWords(errors, visit.lang) }),
    done: ({ visit }, reply) => goTo(reply, HERE, visit.t('Listo.', 'Done.')),
  })

  formRoute(app, {
    path: '/team/members/:id/remove',
    run: request => removeMember(db, signedIn(request).id, request.params.id),
    done: ({ visit: { t } }, reply) =>
      goTo(reply, HERE, t('Ya no forma parte del equipo.', 'No longer part of the team.')),
  })

  formRoute(app, {
    path: '/team/leave',
    run: request => leaveAgency(db, signedIn(request).id),
    done: ({ visit: { t } }, reply) =>
      goTo(reply, HERE, t('Saliste de la inmobiliaria.', 'You left the agency.')),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { id } = signedIn(request)
    const { t } = request.visit
    const [membership, received] = await Promise.all([findMembership(db, id), listInvitationsTo(db, id)])
    const isOwner = membership?.is_agency_admin ?? false
    const members = membership ? await listMembers(db, membership.agency_id) : []
    const sent = membership && isOwner ? await listInvitations(db, membership.agency_id) : []
    return sendScreen(
      request,
      reply,
      { title: t('Equipo', 'Team'), section: 'team', ...(membership && { subtitle: membership.agency }) },
      <>
        {isOwner && <TeamTabs here="team" />}
        {received.map(invitation => (
          <Received key={invitation.id} invitation={invitation} />
        ))}
        {membership ? (
          <div class="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Members {...{ members, isOwner, ownId: id }} />
            {isOwner && <Invitations {...{ members, sent }} {...shown} />}
          </div>
        ) : (
          received.length === 0 && <NoTeam />
        )}
      </>,
    )
  }
}

function NoTeam() {
  const { t } = useVisit()
  return (
    <Panel>
      <Empty icon="people" title={t('Trabajas por tu cuenta', 'You work on your own')}>
        {t(
          'Cuando una inmobiliaria te invite, la invitación aparece aquí.',
          'When an agency invites you, the invitation shows up here.',
        )}
      </Empty>
    </Panel>
  )
}

function Received({ invitation }: { invitation: Invitation }) {
  const { t } = useVisit()
  const { agency, by_name: by, assists_name: assists } = invitation
  const action = `${HERE}/invitations/${invitation.id}/answer`
  return (
    <Panel title={t(`Invitación de ${agency}`, `Invitation from ${agency}`)}>
      <p class="mb-4">
        {assists
          ? t(
              `${by} te invita como asistente de ${assists}: trabajarás en sus propiedades, prospectos y contactos, en su nombre.`,
              `${by} invites you as assistant to ${assists}: you will work on their listings, leads and contacts, in their name.`,
            )
          : t(
              `${by} te invita al equipo. Quien administra la inmobiliaria verá tus propiedades y tus prospectos.`,
              `${by} invites you to the team. The agency’s owner will see your listings and leads.`,
            )}
      </p>
      <div class="flex flex-wrap gap-2">
        <ActionButton action={action} fields={{ answer: 'accept' }} tone="primary" small={false}>
          {t('Aceptar', 'Accept')}
        </ActionButton>
        <ActionButton action={action} fields={{ answer: 'decline' }} tone="quiet" small={false}>
          {t('Rechazar', 'Decline')}
        </ActionButton>
      </div>
    </Panel>
  )
}

function Members({ members, isOwner, ownId }: { members: Member[]; isOwner: boolean; ownId: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Integrantes', 'Members')} class="self-start">
      <ul class="flex flex-col divide-y divide-base-300">
        {members.map(person => (
          <li key={person.id} class="flex flex-wrap items-center gap-3 py-3">
            <Face name={person.name} photo={person.photo} />
            <div class="min-w-0 flex-1 text-sm">
              <p class="font-medium break-words">{person.name}</p>
              <p class="flex flex-wrap items-center gap-2 text-base-content/75">
                <RoleBadge person={person} />
                {person.assists_name && t(`de ${person.assists_name}`, `of ${person.assists_name}`)}
              </p>
            </div>
            {isOwner && !person.is_agency_admin && (
              <DangerButton
                action={`${HERE}/members/${person.id}/remove`}
                label={t('Quitar', 'Remove')}
                question={t(
                  `${person.name} deja la inmobiliaria y pierde el acceso al instante. Sus propias propiedades y prospectos siguen siendo suyos.`,
                  `${person.name} leaves the agency and loses access at once. Their own listings and leads stay theirs.`,
                )}
                yes={t('Sí, quitar', 'Yes, remove')}
              />
            )}
            {person.id === ownId && !person.is_agency_admin && (
              <DangerButton
                action={`${HERE}/leave`}
                label={t('Salir', 'Leave')}
                question={t('Dejas de pertenecer a la inmobiliaria.', 'You no longer belong to the agency.')}
                yes={t('Sí, salir', 'Yes, leave')}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function RoleBadge({ person }: { person: Member }) {
  const { t } = useVisit()
  if (person.is_agency_admin) return <Badge tone="primary">{t('Administra', 'Owner')}</Badge>
  if (person.assists_name) return <Badge>{t('Asistente', 'Assistant')}</Badge>
  return <Badge tone="info">{t('Agente', 'Agent')}</Badge>
}

function Invitations({ members, sent, ...shown }: { members: Member[]; sent: Invitation[] } & Shown) {
  const { t } = useVisit()
  const agents = members.filter(one => one.verified_at)
  return (
    <Panel title={t('Invitar', 'Invite')} class="self-start">
      <Form action={`${HERE}/invite`} {...shown}>
        <TextField name="email" type="email" label={t('Correo', 'Email')} maxlength={254} required />
        <SelectField
          name="assists"
          label={t('Como', 'As')}
          optional={false}
          empty={t('Agente', 'Agent')}
          options={agents.map(({ id, name }) => ({
            value: id,
            label: t(`Asistente de ${name}`, `Assistant to ${name}`),
          }))}
        />
        <Submit class="self-start">{t('Enviar invitación', 'Send invitation')}</Submit>
      </Form>
      {sent.length > 0 && (
        <ul class="mt-5 flex flex-col divide-y divide-base-300 text-sm">
          {sent.map(one => (
            <li key={one.id} class="flex flex-wrap items-center justify-between gap-2 py-2">
              <span class="min-w-0 break-all">{one.email}</span>
              <ActionButton action={`${HERE}/invitations/${one.id}/withdraw`} tone="quiet">
                {t('Retirar', 'Withdraw')}
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
