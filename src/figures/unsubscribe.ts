import type { Db } from '../db/database.ts'
import type { Words } from '../lib/i18n.ts'
import { setMailStopped } from './service.ts'

export const figuresEnding = (db: Db) => ({
  what: (t: Words) =>
    t(
      'El correo semanal con las cifras de tus propiedades. Puedes volver a activarlo en «Cifras».',
      'The weekly e-mail with the figures of your listings. You can turn it on again under “Figures”.',
    ),
  end: (agentId: string) => setMailStopped(db, agentId, true),
})
