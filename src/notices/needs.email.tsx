import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Layout, Link, Text } from './components.tsx'
import type { Draft } from './mail.ts'

interface Found {
  title: string
  url: string
}

/** New matches of the agent's needs. */
export function needsEmail(
  { found, more, url, unsubscribeUrl }: { found: Found[]; more: number; url: string; unsubscribeUrl: string },
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const count = found.length + more
  const title =
    count === 1
      ? t('Una propiedad coincide con lo que buscas', 'A listing matches what you are looking for')
      : t(
          `${count} propiedades coinciden con lo que buscas`,
          `${count} listings match what you are looking for`,
        )
  return {
    subject: title,
    unsubscribeUrl,
    body: (
      <Layout
        lang={lang}
        title={title}
        unsubscribeUrl={unsubscribeUrl}
        reason={t(
          'Recibes este aviso porque publicaste una búsqueda en Lonja. En cada búsqueda eliges si avisamos al momento, una vez al día o nunca.',
          'You are receiving this because you posted a need on Lonja. In each need you choose whether we email you right away, daily or never.',
        )}
      >
        {found.map(one => (
          <Text key={one.url}>
            <Link href={one.url}>{one.title}</Link>
          </Text>
        ))}
        {more > 0 && <Text>{t(`y ${more} más.`, `and ${more} more.`)}</Text>}
        <Button href={url}>
          {t('Ver mis búsquedas y cambiar los avisos', 'See my needs and change notifications')}
        </Button>
      </Layout>
    ),
  }
}
