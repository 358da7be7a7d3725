import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

/** To whoever has the address: accepted only after signing in with it. */
export function invitationEmail(
  { by, agency, url }: { by: string; agency: string; url: string },
  lang: Lang,
): Draft {
  const t = wordsIn(lang)
  const title = t(`${agency} te invita a su equipo`, `${agency} invited you to join its team`)
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este mensaje porque alguien escribió este correo para invitarte en Lonja. Si no lo esperabas, ignóralo.',
          'You are receiving this because someone entered this address to invite you on Lonja. If you did not expect it, ignore this message.',
        )}
      >
        <Text>
          {t(
            `${by} te invita al equipo de ${agency} en Lonja. Inicia sesión o crea tu cuenta con este mismo correo y acepta la invitación en «Equipo».`,
            `${by} invited you to join ${agency} on Lonja. Sign in or create your account with this same address and accept the invitation under “Team”.`,
          )}
        </Text>
        <Button href={url}>{t('Ver la invitación', 'See the invitation')}</Button>
      </Layout>
    ),
  }
}
