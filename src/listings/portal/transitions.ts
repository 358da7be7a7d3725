import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../lib/problem.ts'
import { attempt } from '../../portal/form-route.ts'
import { signedIn } from '../../portal/layout.tsx'
import { Refusal } from '../../portal/refusal.ts'
import { changeStatus } from '../service.ts'
import type { OwnListing } from './inventory.ts'
import { AGENT_TRANSITIONS, type AgentTransition } from './words.tsx'

/** The requested transition, if allowed: publishing requires a verified license. */
export function readTransition(request: FastifyRequest, asked: string): AgentTransition {
  const by = AGENT_TRANSITIONS.find(name => name === asked)
  if (!by) throw new Problem('bad_request')
  if (by === 'publish' && !signedIn(request).isVerified) {
    const { t } = request.visit
    throw new Refusal(
      'forbidden',
      t('Podrás publicar cuando verifiquemos tu licencia.', 'You can publish once your license is verified.'),
    )
  }
  return by
}

/** Returns whether it succeeded. */
export async function isChanged(
  db: Db,
  agentId: string,
  { id, status }: OwnListing,
  by: AgentTransition,
): Promise<boolean> {
  if (status === 'suspended') return false
  const result = await attempt(() => changeStatus(db, agentId, id, by, { via: 'portal' }))
  return !result.errors
}
