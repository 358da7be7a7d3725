import type { Db } from '../db/database.ts'
import type { Words } from '../lib/i18n.ts'
import { stopAlert } from './service.ts'

/** One click ends that alert alone: each mail is about one. */
export const alertsEnding = (db: Db) => ({
  what: (t: Words) =>
    t(
      'El aviso de propiedades nuevas de tu búsqueda. Al terminarlo borramos tu correo de él.',
      'The alert about new properties of your search. When it ends we erase your address from it.',
    ),
  end: (id: string) => stopAlert(db, id),
})
