import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Layout, Text } from './components.tsx'
import type { Draft } from './mail.ts'

export function licenseEmail({ name, url }: { name: string; url: string }, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tu licencia está verificada', 'Your license is verified')
  return {
    subject: title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este aviso porque tienes una cuenta de agente en Lonja.',
          'You are receiving this because you have an agent account on Lonja.',
        )}
      >
        <Text>{t(`Hola, ${name}:`, `Hello ${name},`)}</Text>
        <Text>
          {t(
            'Ya puedes publicar propiedades, crear llaves de la API y recibir prospectos. Tus propiedades publicadas ya son visibles.',
            'You can now publish listings, create API keys and receive leads. Your published listings are now visible.',
          )}
        </Text>
        <Button href={url}>{t('Ver mi página pública', 'View my public page')}</Button>
      </Layout>
    ),
  }
}
