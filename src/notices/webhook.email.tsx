import { type Lang, type Words, wordsIn } from '../lib/i18n.ts'
import { Facts, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WebhookNotice {
  /** The receiver's host only: paths and queries often hold secrets. */
  host: string
  lastStatus: string
  failures: number
  state: WebhookState
}

type WebhookState =
  | 'failing'
  /** Failing too, and deliveries are retried. */
  | 'retrying'
  /** All attempts of a delivery have failed. */
  | 'given up'
  /** The receiver answered 410 and was paused. */
  | 'gone'

const titleOf = (state: WebhookState, t: Words) =>
  state === 'gone'
    ? t('Tu webhook está en pausa', 'Your webhook is paused')
    : t('Tu webhook está fallando', 'Your webhook is failing')

const explain = (state: WebhookState, t: Words): string =>
  ({
    failing: t(
      'Las entregas no se reintentan. Recupera lo que faltó con GET /events, o envíalo de nuevo desde la página del webhook.',
      'Deliveries are not retried. Get what you missed with GET /events, or send it again from the webhook’s page.',
    ),
    retrying: t(
      'Cada entrega se intenta hasta 8 veces en unas 28 horas.',
      'Each delivery is attempted up to 8 times over about 28 hours.',
    ),
    'given up': t(
      'Una entrega falló 8 veces y ya no se reintenta. Recupera lo que faltó con GET /events, o envíalo de nuevo desde la página del webhook.',
      'A delivery failed 8 times and is no longer retried. Get what you missed with GET /events, or send it again from the webhook’s page.',
    ),
    gone: t(
      'Tu servidor respondió 410: ya no quiere entregas, y no enviamos más. Reanuda el webhook cuando quieras recibirlas otra vez; lo que faltó está en GET /events.',
      'Your server answered 410: it wants no more deliveries, so we stopped. Resume the webhook when you want them again; what you missed is in GET /events.',
    ),
  })[state]

export function webhookEmail({ host, lastStatus, failures, state }: WebhookNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = titleOf(state, t)
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
            ...(failures > 0
              ? [
                  [t('Entregas fallidas consecutivas', 'Consecutive failed deliveries'), failures] as [
                    string,
                    number,
                  ],
                ]
              : []),
            [t('Último estatus', 'Last status'), lastStatus],
          ]}
        />
        <Text>{explain(state, t)}</Text>
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
