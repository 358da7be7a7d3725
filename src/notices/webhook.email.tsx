import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Facts, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WebhookNotice {
  /** The receiver's host alone: paths and queries often hold secrets. */
  host: string
  lastStatus: string
  failures: number
}

export function webhookEmail({ host, lastStatus, failures }: WebhookNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tu webhook está fallando', 'Your webhook is failing')
  return {
    subject: `${title}: ${host}`,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque tienes un webhook activo en Lonja.',
          'You receive this because you have an active webhook in Lonja.',
        )}
      >
        <Facts
          rows={[
            [t('Receptor', 'Receiver'), host],
            [t('Entregas fallidas seguidas', 'Deliveries failed in a row'), failures],
            [t('Último estado', 'Last status'), lastStatus],
          ]}
        />
        <Text>
          {t(
            'Las entregas no se repiten. Lo que faltó se recupera con GET /leads y GET /my/properties.',
            'Deliveries are not repeated. What was missed can be read with GET /leads and GET /my/properties.',
          )}
        </Text>
        <Text>
          {t(
            'Revisa tu servidor y usa la prueba del webhook para comprobarlo.',
            'Check your server, and use the webhook’s test to see that it works.',
          )}
        </Text>
      </Layout>
    ),
  }
}
