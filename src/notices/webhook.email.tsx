import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Facts, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WebhookNotice {
  /** The receiver's host only: paths and queries often hold secrets. */
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
          'You are receiving this because you have an active webhook on Lonja.',
        )}
      >
        <Facts
          rows={[
            [t('Receptor', 'Receiver'), host],
            [t('Entregas fallidas consecutivas', 'Consecutive failed deliveries'), failures],
            [t('Último estado', 'Last status'), lastStatus],
          ]}
        />
        <Text>
          {t(
            'Las entregas no se reintentan. Recupera lo que faltó con GET /leads y GET /my/properties.',
            'Deliveries are not retried. Get what you missed with GET /leads and GET /my/properties.',
          )}
        </Text>
        <Text>
          {t(
            'Revisa tu servidor y envía una prueba desde la página del webhook.',
            'Check your server, then send a test from the webhook’s page.',
          )}
        </Text>
      </Layout>
    ),
  }
}
