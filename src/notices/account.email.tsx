import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Layout, Link, Quote, Text } from './components.tsx'
import type { Draft } from './mail.ts'

interface Linked {
  name: string
  url: string
}

const reasonIn = (lang: Lang) =>
  wordsIn(lang)(
    'Recibes este mensaje porque alguien usó esta dirección en Lonja. Si no fuiste tú, no hagas nada.',
    'You receive this because someone used this address at Lonja. If it was not you, there is nothing to do.',
  )

/** Without a name where it was not proved whose the address is. */
const greeting = (name: string, lang: Lang) =>
  name === '' ? wordsIn(lang)('Hola:', 'Hello,') : wordsIn(lang)(`Hola, ${name}:`, `Hello ${name},`)

/** A greeting, a few words and the link they are about. */
function linkLetter({ name, url }: Linked, lang: Lang, title: string, words: string): Draft {
  return {
    subject: title,
    body: (
      <Layout lang={lang} title={title} reason={reasonIn(lang)}>
        <Text>{greeting(name, lang)}</Text>
        <Text>{words}</Text>
        <Text>
          <Link href={url}>{url}</Link>
        </Text>
      </Layout>
    ),
  }
}

export function confirmEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(
    to,
    lang,
    t('Confirma tu correo', 'Confirm your e-mail'),
    t(
      'Abre este enlace y escribe la contraseña que elegiste. Funciona una vez, durante tres días.',
      'Open this link and type the password you chose. It works once, for three days.',
    ),
  )
}

export function resetEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(
    to,
    lang,
    t('Elige una contraseña nueva', 'Choose a new password'),
    t(
      'Con este enlace eliges una contraseña nueva. Funciona una vez, durante una hora.',
      'With this link you choose a new password. It works once, for an hour.',
    ),
  )
}

/** Somebody signed up with the address of an account: only its owner hears of it. */
export function existsEmail(to: Linked, lang: Lang): Draft {
  const t = wordsIn(lang)
  return linkLetter(
    to,
    lang,
    t('Ya tienes una cuenta', 'You already have an account'),
    t(
      'Alguien quiso crear una cuenta con esta dirección, que ya tiene una. Si fuiste tú, entra o pide una contraseña nueva aquí:',
      'Someone tried to create an account with this address, which already has one. If it was you, sign in or ask for a new password here:',
    ),
  )
}

export function licenceRefusedEmail({ name, url, reason }: Linked & { reason: string }, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('No pudimos verificar tu licencia', 'We could not verify your licence')
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque pediste que verificáramos tu licencia en Lonja.',
          'You receive this because you asked us to verify your licence at Lonja.',
        )}
      >
        <Text>{t(`Hola, ${name}:`, `Hello ${name},`)}</Text>
        <Text>{t('Esto nos impidió verificarla:', 'This kept us from verifying it:')}</Text>
        <Quote>{reason}</Quote>
        <Text>
          {t('Corrige lo necesario y envíala otra vez: ', 'Mend what is needed and send it again: ')}
          <Link href={url}>{url}</Link>
        </Text>
      </Layout>
    ),
  }
}
