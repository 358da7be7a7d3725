import { type Lang, wordsIn } from '../lib/i18n.ts'
import { timeText } from '../lib/time.ts'
import { Layout, Link, List, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface ReconfirmNotice {
  listings: { title: string; url: string; hiddenOn: Date }[]
}

export function reconfirmEmail({ listings }: ReconfirmNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const count = listings.length
  const title =
    count === 1
      ? t('Reconfirma tu propiedad', 'Reconfirm your listing')
      : t(`Reconfirma ${count} propiedades`, `Reconfirm ${count} listings`)
  return {
    subject: count === 1 ? `${title}: ${listings[0]?.title}` : title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque tienes propiedades publicadas en Lonja.',
          'You are receiving this because you have published listings on Lonja.',
        )}
      >
        <Text>
          {t(
            'Si siguen disponibles, reconfírmalas; de lo contrario, dejarán de mostrarse en la fecha indicada.',
            'If they are still available, reconfirm them; otherwise they will be hidden on the date shown.',
          )}
        </Text>
        <List
          items={listings.map(({ title: name, url, hiddenOn }) => [
            <Link href={url}>{name}</Link>,
            `, ${timeText(hiddenOn, 'longDay', lang)}`,
          ])}
        />
        <Text>
          {t(
            'Con la API, volver a publicar una propiedad publicada la reconfirma.',
            'With the API, publishing a published listing again reconfirms it.',
          )}
        </Text>
      </Layout>
    ),
  }
}
