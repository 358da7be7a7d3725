import type { ComponentChildren } from 'preact'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { timeText } from '../lib/time.ts'
import { Facts, Layout, Link, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WaitingIdentification {
  listing: string | null
  tourAt: Date | null
  url: string
}

/** To the agent. Who it is stands on the page behind the link and nowhere else. */
export function identificationEmail({ listing, tourAt, url }: WaitingIdentification, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Una identificación espera tu revisión', 'An identification waits for your check')
  const rows: [string, ComponentChildren][] = []
  if (listing) rows.push([t('Propiedad', 'Listing'), listing])
  if (tourAt) rows.push([t('Visita pedida', 'Showing asked for'), timeText(tourAt, 'longMoment', lang)])
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque alguien pidió visitar una propiedad contigo en Lonja.',
          'You receive this because someone asked you for a showing at Lonja.',
        )}
      >
        <Text>
          {t(
            'Quien pidió la visita ya envió su identificación. Revísala: cuando la aceptes recibes sus datos y puedes confirmar la visita.',
            'Whoever asked for the showing has sent an identification. Check it: once you accept it you get their data and can confirm the showing.',
          )}
        </Text>
        {rows.length > 0 && <Facts rows={rows} />}
        <Text>
          <Link href={url}>{url}</Link>
        </Text>
      </Layout>
    ),
  }
}
