import type { Db } from '../db/database.ts'
import type { Words } from '../lib/i18n.ts'
import { stopAlert } from './service.ts'

/** One click ends that alert alone: each mail is about one. */
export const alertsEnding = (db: Db) => ({
  what: (t: Words) =>
    t(
      'El aviso de propiedades nuevas de tu búsqueda. Al cancelarlo borramos tu correo.',
      'The alert about new properties in your search. When you cancel it, we erase your email.',
    ),
  end: (id: string) => stopAlert(db, id),
})
