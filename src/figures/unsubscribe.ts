import type { Db } from '../db/database.ts'
import type { Words } from '../lib/i18n.ts'
import { setMailStopped } from './service.ts'

export const figuresEnding = (db: Db) => ({
  what: (t: Words) =>
    t(
      'El correo semanal con las estadísticas de tus propiedades. Puedes volver a activarlo en «Estadísticas».',
      'The weekly email with your listings’ statistics. You can turn it on again under “Statistics”.',
    ),
  end: (agentId: string) => setMailStopped(db, agentId, true),
})
