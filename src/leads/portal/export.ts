import type { FastifyInstance } from 'fastify'
import type { Words } from '../../lib/i18n.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { type LeadRow, searchLeads } from '../service.ts'

const EXPORT_LIMIT = 20_000

export function registerExport(app: FastifyInstance, { db, now }: PortalDeps): void {
  // A full export is limited to agents the API would serve.
  app.get('/leads/export.csv', VERIFIED, async (request, reply) => {
    const leads = await searchLeads(db, signedIn(request).id, {}, { limit: EXPORT_LIMIT })
    const day = now().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="lonja-leads-${day}.csv"`)
      .send(leadsCsv(leads, request.visit.t))
  })
}

// Spreadsheets treat cells with these prefixes as formulas, even after spaces; full-width signs count too.
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠|%]/u

/** Always quoted and never a formula: names and messages come from strangers. */
function csvCell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""').replaceAll('\0', '')}"`
}

/** Starts with a BOM, so spreadsheets detect UTF-8. */
function leadsCsv(leads: LeadRow[], t: Words): string {
  const columns: [string, (lead: LeadRow) => unknown][] = [
    [t('Recibido', 'Received'), lead => lead.created_at],
    [t('Nombre', 'Name'), lead => lead.name],
    [t('Correo', 'Email'), lead => lead.email],
    [t('Teléfono', 'Phone'), lead => lead.phone],
    [t('Mensaje', 'Message'), lead => lead.message],
    [t('Etapa', 'Stage'), lead => lead.status],
    [t('Tipo', 'Type'), lead => lead.kind],
    [t('Propiedad', 'Listing'), lead => lead.listing_title],
    [t('Origen', 'Source'), lead => lead.source],
    [t('Interés', 'Interest'), lead => lead.interest],
    [t('Presupuesto mínimo', 'Minimum budget'), lead => lead.budget_min],
    [t('Presupuesto máximo', 'Maximum budget'), lead => lead.budget_max],
    [t('Seguimiento', 'Follow-up'), lead => lead.follow_up_at],
    [t('Visita', 'Showing'), lead => lead.tour_at],
    [t('Estatus de la visita', 'Showing status'), lead => lead.tour_status],
    [t('Identificación', 'Identification'), lead => lead.id_status],
    ['id', lead => lead.id],
  ]
  const lines = [
    columns.map(([name]) => csvCell(name)),
    ...leads.map(lead => columns.map(([, read]) => csvCell(read(lead)))),
  ]
  return `\ufeff${lines.map(line => line.join(',')).join('\r\n')}\r\n`
}
