import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendScreen } from '../../portal/layout.tsx'
import { VerifiedOnly } from '../../portal/verified-only.tsx'

/** To agents who are not verified: what needs are and how to get in. */
export function explain(request: FastifyRequest, reply: FastifyReply) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    { title: t('Busco', 'Needs'), section: 'needs' },
    <VerifiedOnly>
      {t(
        'Los agentes con licencia verificada publican lo que buscan sus clientes y reciben avisos de las propiedades que coinciden.',
        'Agents with a verified license post what their clients are looking for and are notified of matching listings.',
      )}
    </VerifiedOnly>,
  )
}
