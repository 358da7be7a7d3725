import type { Figures } from '../figures/service.ts'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { Button, Facts, Layout, Link, List } from './components.tsx'
import type { Draft } from './mail.ts'

export interface WeekOfFigures {
  sum: Figures
  /** The most viewed. */
  listings: { title: string; url: string; views: number }[]
  url: string
  unsubscribeUrl: string
}

export function figuresEmail({ sum, listings, url, unsubscribeUrl }: WeekOfFigures, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tus propiedades esta semana', 'Your listings this week')
  return {
    subject: `${title}: ${t(`${sum.views} vistas, ${sum.contacts} contactos`, `${sum.views} views, ${sum.contacts} contacts`)}`,
    unsubscribeUrl,
    body: (
      <Layout
        lang={lang}
        title={title}
        unsubscribeUrl={unsubscribeUrl}
        reason={t(
          'Recibes este correo cada lunes porque tienes propiedades en Lonja.',
          'You get this email every Monday because you have listings on Lonja.',
        )}
      >
        <Facts
          rows={[
            [t('Vistas', 'Views'), sum.views],
            [t('Contactos', 'Contacts'), sum.contacts],
            [t('Favoritos', 'Favorites'), sum.favorites],
            [t('Compartidas', 'Shares'), sum.shares],
            [t('Apariciones en resultados', 'Appearances in results'), sum.appearances],
          ]}
        />
        <List
          items={listings.map(one => (
            <>
              <Link href={one.url}>{one.title}</Link>: {one.views}
            </>
          ))}
        />
        <Button href={url}>{t('Ver todas las estadísticas', 'See all statistics')}</Button>
      </Layout>
    ),
  }
}
