import { type Lang, wordsIn } from '../lib/i18n.ts'
import { onePagePdf } from '../lib/pdf.ts'
import { timeText } from '../lib/time.ts'
import type { CooperationView } from './record.ts'

/** What both agreed to, on one page, with the hash of the thread so far. No client and no street. */
export function agreementPdf(view: CooperationView, url: string, lang: Lang): Buffer {
  const t = wordsIn(lang)
  const accepted = view.entries.findLast(entry => entry.kind === 'accept')
  const head = (text: string) => ({ text, bold: true, size: 11, above: 16 })
  const title = t('Acuerdo de cooperación inmobiliaria', 'Real estate cooperation agreement')
  const party = (role: 'buyer' | 'owner') => {
    const { name, email, phone } = view.others[role]
    return [name, email, phone].filter(Boolean).join(' · ')
  }
  return onePagePdf(title, [
    { text: title, bold: true, size: 18 },
    { text: `Lonja · ${url}`, size: 9, above: 4 },
    head(t('Agente de la propiedad', 'Listing agent')),
    { text: party('owner') },
    head(t('Agente que trae al cliente', 'Agent who brings the client')),
    { text: party('buyer') },
    head(t('Propiedad', 'Listing')),
    { text: view.listing.title },
    { text: [view.listing.place, view.listing.price].filter(Boolean).join(' · ') },
    { text: view.listing.id, size: 9 },
    head(t('Comisión para quien trae al cliente', 'Commission for the agent who brings the client')),
    {
      text: view.amount
        ? `${view.split} = ${view.amount} ${t('al precio anunciado', 'at the asking price')}`
        : view.split,
    },
    head(t('Fecha del acuerdo', 'Date of agreement')),
    { text: accepted ? timeText(accepted.at, 'longMoment', lang) : '—' },
    head(t('Hilo de la cooperación', 'Cooperation thread')),
    {
      text: t(
        `${view.entries.length} pasos hasta hoy. SHA-256 de todos ellos, en orden:`,
        `${view.entries.length} steps so far. SHA-256 of all of them, in order:`,
      ),
    },
    { text: view.hash, size: 9 },
    {
      text: t(
        'Ambos agentes ven en Lonja el hilo completo, que no se puede editar. Ninguna visita se hace sin identificar al comprador.',
        'Both agents see the whole thread on Lonja; it cannot be edited. No showing takes place without identifying the buyer.',
      ),
      size: 9,
      above: 16,
    },
  ])
}
