import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendScreen } from '../../portal/layout.tsx'
import { VerifiedOnly } from '../../portal/verified-only.tsx'

/** To agents who are not verified: what the market is and how to get in. */
export function explain(request: FastifyRequest, reply: FastifyReply) {
  const { t } = request.visit
  return sendScreen(
    request,
    reply,
    { title: t('El mercado', 'The market'), section: 'market' },
    <VerifiedOnly>
      {t(
        'Aquí los agentes con licencia verificada encuentran propiedades de colegas para sus clientes, ven la comisión compartida y acuerdan cooperar.',
        'Here agents with a verified license find colleagues’ listings for their clients, see the shared commission and agree to cooperate.',
      )}
    </VerifiedOnly>,
  )
}
