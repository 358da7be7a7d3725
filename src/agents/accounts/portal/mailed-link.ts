import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { Problem } from '../../../lib/problem.ts'
import { Refusal } from '../../../portal/refusal.ts'
import { findByToken, type Purpose } from '../service.ts'

/** The token of a valid link; otherwise a reason the person can act on. */
export async function requireLink(
  { db, now }: { db: Db; now: () => Date },
  request: FastifyRequest,
  purpose: Purpose,
): Promise<string> {
  const token = request.form.get('token') ?? (request.query as URLSearchParams).get('token') ?? ''
  try {
    await findByToken(db, token, purpose, now())
    return token
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { t } = request.visit
    throw new Refusal(
      'not_found',
      t(
        'Este enlace ya se usó o venció. Inicia sesión con tu correo y te enviaremos otro.',
        'This link has expired or was already used. Sign in with your email and we will send you another.',
      ),
    )
  }
}
