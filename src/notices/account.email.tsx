import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Layout, Quote, Text } from './components.tsx'
import type { Draft } from './mail.ts'

interface Linked {
  name: string
  url: string
}

const reasonIn = (lang: Lang) =>
  wordsIn(lang)(
    'Recibes este mensaje porque alguien usó este correo en Lonja. Si no fuiste tú, ignóralo.',
    'You are receiving this because someone used this address on Lonja. If it wasn’t you, you can ignore this message.',
  )

/** Omits the name if the address is not verified. */
const greeting = (name: string, lang: Lang) =>
  name === '' ? wordsIn(lang)('Hola:', 'Hello,') : wordsIn(lang)(`Hola, ${name}:`, `Hello ${name},`)

interface LinkWords {
  title: string
  words: string
  button: string
}

/** A greeting, a short text and its link. */
function linkLetter({ name, url }: Linked, lang: Lang, { title, words, button }: LinkWords): Draft {
  return {
    subject: title,
    body: (
      <Layout lang={lang} title={title} reason={reasonIn(lang)}>
        <Text>{greeting(name, lang)}</Text>
        <Text>{words}</Text>
        <Button href={url}>{button}</Button>
      </Layout>
    ),
  }
}

export function confirmEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(to, lang, {
    title: t('Confirma tu correo', 'Confirm your email'),
    words: t(
      'Abre el enlace y escribe la contraseña que elegiste. Se puede usar una sola vez y vence en tres días.',
      'Open the link and enter the password you chose. The link works once and expires in three days.',
    ),
    button: t('Confirmar mi correo', 'Confirm my email'),
  })
}

export function resetEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(to, lang, {
    title: t('Elige una contraseña nueva', 'Choose a new password'),
    words: t(
      'Usa este enlace para elegir una contraseña nueva. Se puede usar una sola vez y vence en una hora.',
      'Use this link to choose a new password. It works once and expires in one hour.',
    ),
    button: t('Elegir contraseña', 'Choose password'),
  })
}

/** Someone signed up with the address of an existing account: only its owner is notified. */
export function existsEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(to, lang, {
    title: t('Ya tienes una cuenta', 'You already have an account'),
    words: t(
      'Alguien intentó crear una cuenta con este correo, que ya tiene una. Si fuiste tú, inicia sesión o pide una contraseña nueva.',
      'Someone tried to create an account with this email, which already has one. If it was you, sign in or request a new password.',
    ),
    button: t('Iniciar sesión', 'Sign in'),
  })
}

export function licenseRefusedEmail({ name, url, reason }: Linked & { reason: string }, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('No pudimos verificar tu licencia', 'We could not verify your license')
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque pediste que verificáramos tu licencia en Lonja.',
          'You are receiving this because you asked us to verify your license on Lonja.',
        )}
      >
        <Text>{t(`Hola, ${name}:`, `Hello ${name},`)}</Text>
        <Text>{t('No pudimos verificarla por este motivo:', 'We could not verify it for this reason:')}</Text>
        <Quote>{reason}</Quote>
        <Button href={url}>{t('Corregir y enviar de nuevo', 'Fix it and submit again')}</Button>
      </Layout>
    ),
  }
}
