import type { Db } from '../db/database.ts'
import type { Words } from '../lib/i18n.ts'
import { stopNotices } from './service.ts'

/** One click ends the mail of all needs: a mail is about several. In the portal, notices are chosen per need. */
export const needsEnding = (db: Db) => ({
  what: (t: Words) =>
    t(
      'Avisos de propiedades que coinciden con tus búsquedas. Las búsquedas siguen activas y puedes volver a activar los avisos en cada una.',
      'Notifications of listings that match your needs. The needs stay active, and you can turn notifications back on in each of them.',
    ),
  end: (agentId: string) => stopNotices(db, agentId),
})
