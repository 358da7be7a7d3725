import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Facts, Layout } from './components.tsx'
import type { Draft } from './mail.ts'

export interface CooperationStep {
  kind: string
  /** Who took it; null for the system. */
  by: string | null
  listing: string
  /** Whether the listing's agent proposed it, for a need. */
  isOffer: boolean
  url: string
}

/** What happened and where to read it. Neither messages nor commissions: those stay in the portal. */
export function cooperationEmail({ kind, by, listing, isOffer, url }: CooperationStep, lang: Lang): Draft {
  const t = wordsIn(lang)
  const who = by ?? 'Lonja'
  const titles: Record<string, string> = {
    propose: isOffer
      ? t(`${who} te ofrece una propiedad para tu búsqueda`, `${who} offers a listing for your need`)
      : t(`${who} te propone cooperar`, `${who} proposes a cooperation`),
    accept: t(`${who} aceptó cooperar`, `${who} accepted the cooperation`),
    counter: t(`${who} propone otra comisión`, `${who} countered with another split`),
    decline: t(`${who} rechazó la cooperación`, `${who} declined the cooperation`),
    withdraw: t(`${who} retiró su propuesta`, `${who} withdrew the proposal`),
    expire: t('La propuesta venció sin respuesta', 'The proposal expired without an answer'),
    message: t(`${who} te escribió`, `${who} wrote to you`),
    file: t(`${who} agregó un archivo`, `${who} added a file`),
    identify: t(`${who} pidió la identificación del comprador`, `${who} asked the buyer for identification`),
    share: t(`${who} compartió los datos de su cliente`, `${who} shared the client’s details`),
    showing: t(`${who} agendó una visita`, `${who} scheduled a showing`),
    offer: t(`${who} registró una oferta`, `${who} recorded an offer`),
    close: t(`${who} cerró la operación`, `${who} closed the deal`),
    lose: t(`${who} dio por perdida la operación`, `${who} marked the deal as lost`),
    dispute: t(`${who} reportó un desacuerdo`, `${who} reported a dispute`),
    resolve: t('El operador cerró el desacuerdo', 'The operator resolved the dispute'),
  }
  const title = titles[kind] ?? t('Novedades en una cooperación', 'Update on a cooperation')
  return {
    subject: `${title}: ${listing}`,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque participas en esta cooperación en Lonja.',
          'You are receiving this because you take part in this cooperation on Lonja.',
        )}
      >
        <Facts rows={[[t('Propiedad', 'Listing'), listing]]} />
        <Button href={url}>{t('Abrir la cooperación', 'Open the cooperation')}</Button>
      </Layout>
    ),
  }
}
