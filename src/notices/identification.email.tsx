import type { ComponentChildren } from 'preact'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { showingText, type Whereabouts } from '../lib/zones.ts'
import { Button, Facts, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WaitingIdentification {
  listing: string | null
  tourAt: Date | null
  whereabouts: Whereabouts | null
  url: string
}

/** To the agent. The visitor's identity is shown only on the page behind the link. */
export function identificationEmail(
  { listing, tourAt, whereabouts, url }: WaitingIdentification,
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const title = t('Tienes una identificación por revisar', 'An ID is waiting for your review')
  const rows: [string, ComponentChildren][] = []
  if (listing) rows.push([t('Propiedad', 'Listing'), listing])
  if (tourAt) rows.push([t('Visita solicitada', 'Requested showing'), showingText(tourAt, lang, whereabouts)])
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque alguien te solicitó una visita en Lonja.',
          'You are receiving this because someone requested a showing with you on Lonja.',
        )}
      >
        <Text>
          {t(
            'La persona que solicitó la visita ya envió su identificación. Revísala: al aceptarla recibirás sus datos y podrás confirmar la visita.',
            'The person who requested the showing has sent their ID. Once you review and accept it, you get their contact details and can confirm the showing.',
          )}
        </Text>
        {rows.length > 0 && <Facts rows={rows} />}
        <Button href={url}>{t('Revisar la identificación', 'Review the ID')}</Button>
      </Layout>
    ),
  }
}
