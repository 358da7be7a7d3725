import type { ComponentChildren } from 'preact'
import { LINK_DAYS } from '../leads/identification/service.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { phoneText, whatsAppHref } from '../lib/phone.ts'
import { showingText, type Whereabouts } from '../lib/zones.ts'
import { Button, Facts, Layout, Link, Quote, Text } from './components.tsx'
import type { Draft } from './mail.ts'

/** The visitor's request, without any text the visitor typed. */
export interface Asked {
  agent: string
  phone: string | null
  listing: string | null
  tourAt: Date | null
  whereabouts: Whereabouts | null
}

const reasonIn = (lang: Lang) =>
  wordsIn(lang)(
    'Recibes este mensaje porque alguien escribió este correo en un formulario de Lonja. Si no fuiste tú, ignóralo.',
    'You are receiving this because someone entered this address in a form on Lonja. If it wasn’t you, you can ignore this message.',
  )

function rowsOf(
  { agent, phone, listing, tourAt, whereabouts }: Asked,
  lang: Lang,
): [string, ComponentChildren][] {
  const t = wordsIn(lang)
  const rows: [string, ComponentChildren][] = [[t('Agente', 'Agent'), agent]]
  if (phone) rows.push([t('Teléfono', 'Phone'), phoneText(phone)])
  if (listing) rows.push([t('Propiedad', 'Listing'), listing])
  if (tourAt) rows.push([t('Visita solicitada', 'Requested showing'), showingText(tourAt, lang, whereabouts)])
  return rows
}

/** A showing the agent has confirmed. */
export interface Agreed {
  agent: string
  phone: string | null
  at: Date
  whereabouts: Whereabouts | null
  /** Without a URL if the listing is no longer public. */
  listing: { title: string; url: string | null } | null
}

export function confirmedEmail({ agent, phone, at, whereabouts, listing }: Agreed, lang: Lang): Draft {
  const t = wordsIn(lang)
  const when = showingText(at, lang, whereabouts)
  const title = t('Tu visita está confirmada', 'Your showing is confirmed')
  const rows: [string, ComponentChildren][] = [[t('Cuándo', 'When'), when]]
  if (listing) {
    const name = listing.url ? <Link href={listing.url}>{listing.title}</Link> : listing.title
    rows.push([t('Propiedad', 'Listing'), name])
  }
  rows.push([t('Agente', 'Agent'), agent])
  if (phone) rows.push([t('Teléfono', 'Phone'), phoneText(phone)])
  return {
    subject: `${title}: ${when}`,
    body: (
      <Layout lang={lang} title={title} reason={reasonIn(lang)}>
        <Text>
          {t(
            `${agent} te espera. Esta hora reemplaza cualquier otra que hayas recibido.`,
            `${agent} is expecting you. This time replaces any earlier one.`,
          )}
        </Text>
        <Facts rows={rows} />
        {phone && (
          <Button href={whatsAppHref(phone)}>{t('Escribir por WhatsApp', 'Message on WhatsApp')}</Button>
        )}
        <Text>
          {t('Si no puedes asistir, avísale al agente.', 'If you can’t make it, please let the agent know.')}
        </Text>
      </Layout>
    ),
  }
}

/** A text, followed by the request. */
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
        `${asked.agent} has your message and will reply soon.`,
      )}
    </Text>,
  )
}

export function handedOverEmail(asked: Asked, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t(`Ahora te atiende ${asked.agent}`, `${asked.agent} will assist you from now on`)
  return letter(
    asked,
    lang,
    title,
    <Text>
      {t(
        'Un colega de la misma inmobiliaria le entregó tu solicitud, con tus datos de contacto.',
        'A colleague at the same agency handed over your request, with your contact details.',
      )}
    </Text>,
  )
}

export function identifyEmail(asked: Asked, url: string, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Identifícate para tu visita', 'Verify your identity for your showing')
  return letter(
    asked,
    lang,
    title,
    <>
      <Text>
        {t(
          'Para confirmar tu visita necesitamos saber quién eres. Ten a la mano tu identificación y una foto de ella.',
          'To confirm your showing we need to know who you are. Have your ID and a photo of it ready.',
        )}
      </Text>
      <Button href={url}>{t('Identificarme', 'Verify my identity')}</Button>
      <Text>
        {t(
          `El enlace es personal: se puede usar una sola vez y vence en ${LINK_DAYS} días. No lo reenvíes.`,
          `The link is for you only: it works once and expires in ${LINK_DAYS} days. Do not forward it.`,
        )}
      </Text>
    </>,
  )
}

export function refusedEmail(asked: Asked, reason: string, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('No pudimos aceptar tu identificación', 'We could not accept your ID')
  return letter(
    asked,
    lang,
    title,
    <>
      <Text>{t('Motivo:', 'Reason:')}</Text>
      <Quote>{reason}</Quote>
      <Text>
        {t(
          'Ya borramos lo que enviaste. Si aún te interesa la visita, el agente puede enviarte un enlace nuevo.',
          'We have deleted what you sent. If you still want the showing, the agent can send you a new link.',
        )}
      </Text>
    </>,
  )
}
