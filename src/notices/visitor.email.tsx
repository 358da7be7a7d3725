import type { ComponentChildren } from 'preact'
import { LINK_DAYS } from '../leads/identification/service.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { timeText } from '../lib/time.ts'
import { Facts, Layout, Link, Quote, Text } from './components.tsx'
import type { Draft } from './mail.ts'

/** What a visitor asked for, in words that are not the visitor's. */
export interface Asked {
  agent: string
  phone: string | null
  listing: string | null
  tourAt: Date | null
}

const reasonIn = (lang: Lang) =>
  wordsIn(lang)(
    'Recibes este mensaje porque alguien dejó esta dirección en un formulario de Lonja. Si no fuiste tú, no hagas nada.',
    'You receive this because someone left this address in a form at Lonja. If it was not you, there is nothing to do.',
  )

function rowsOf({ agent, phone, listing, tourAt }: Asked, lang: Lang): [string, ComponentChildren][] {
  const t = wordsIn(lang)
  const rows: [string, ComponentChildren][] = [[t('Agente', 'Agent'), agent]]
  if (phone) rows.push([t('Teléfono', 'Phone'), phone])
  if (listing) rows.push([t('Propiedad', 'Listing'), listing])
  if (tourAt) rows.push([t('Visita pedida', 'Showing asked for'), timeText(tourAt, 'longMoment', lang)])
  return rows
}

/** A showing that the agent has agreed to. */
export interface Agreed {
  agent: string
  phone: string | null
  at: Date
  /** Without an address once it is no longer public. */
  listing: { title: string; url: string | null } | null
}

export function confirmedEmail({ agent, phone, at, listing }: Agreed, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tu visita está confirmada', 'Your showing is confirmed')
  const rows: [string, ComponentChildren][] = [[t('Cuándo', 'When'), timeText(at, 'longMoment', lang)]]
  if (listing) {
    const name = listing.url ? <Link href={listing.url}>{listing.title}</Link> : listing.title
    rows.push([t('Propiedad', 'Listing'), name])
  }
  rows.push([t('Agente', 'Agent'), agent])
  if (phone) rows.push([t('Teléfono', 'Phone'), phone])
  return {
    subject: `${title}: ${timeText(at, 'longMoment', lang)}`,
    body: (
      <Layout lang={lang} title={title} reason={reasonIn(lang)}>
        <Text>
          {t(
            `${agent} te espera. La hora es la del centro de México; si recibiste otra antes, vale esta.`,
            `${agent} is expecting you. The time is that of central Mexico; if you were told another before, this one holds.`,
          )}
        </Text>
        <Facts rows={rows} />
        <Text>{t('Si no puedes ir, avísale al agente.', 'If you cannot come, please tell the agent.')}</Text>
      </Layout>
    ),
  }
}

/** Some words, then what was asked for. */
function letter(asked: Asked, lang: Lang, title: string, words: ComponentChildren): Draft {
  return {
    subject: title,
    body: (
      <Layout lang={lang} title={title} reason={reasonIn(lang)}>
        {words}
        <Facts rows={rowsOf(asked, lang)} />
      </Layout>
    ),
  }
}

export function inquiryEmail(asked: Asked, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tu mensaje va en camino', 'Your message is on its way')
  return letter(
    asked,
    lang,
    title,
    <Text>
      {t(
        `${asked.agent} recibió tu mensaje y te contestará pronto.`,
        `${asked.agent} has your message and will answer soon.`,
      )}
    </Text>,
  )
}

export function identifyEmail(asked: Asked, url: string, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Identifícate para tu visita', 'Identify yourself for your showing')
  return letter(
    asked,
    lang,
    title,
    <>
      <Text>
        {t(
          'Para confirmar tu visita necesitamos saber quién eres. Ten a la mano tu identificación y una foto de ella.',
          'To confirm your showing we need to know who you are. Have your document and a photo of it at hand.',
        )}
      </Text>
      <Text>
        <Link href={url}>{url}</Link>
      </Text>
      <Text>
        {t(
          `El enlace es solo para ti: funciona una vez, durante ${LINK_DAYS} días. No lo reenvíes.`,
          `The link is for you alone: it works once, for ${LINK_DAYS} days. Do not pass it on.`,
        )}
      </Text>
    </>,
  )
}

export function refusedEmail(asked: Asked, reason: string, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('No pudimos aceptar tu identificación', 'Your identification could not be accepted')
  return letter(
    asked,
    lang,
    title,
    <>
      <Text>{t('Este es el motivo:', 'This is why:')}</Text>
      <Quote>{reason}</Quote>
      <Text>
        {t(
          'Lo que enviaste ya se borró. Si todavía quieres la visita, el agente puede mandarte un enlace nuevo.',
          'What you sent has been erased. If you still want the showing, the agent can send you a new link.',
        )}
      </Text>
    </>,
  )
}
