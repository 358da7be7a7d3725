import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { findAgent } from '../../agents/directory.ts'
import { asset, assetFile } from '../../http/assets.ts'
import { formOf } from '../../http/forms.ts'
import { headerOf } from '../../http/headers.ts'
import { sendPage } from '../../http/html.tsx'
import { VisitorForm } from '../../leads/visitors/form.tsx'
import {
  isRefused,
  issueForm,
  type Refused,
  receiveVisitor,
  statusOf,
  tokenAfter,
} from '../../leads/visitors/service.ts'
import { LANG_TAGS } from '../../lib/i18n.ts'
import { ContactLinks, ListingGrid } from '../../site/cards.tsx'
import { Nothing, Visited } from '../../site/layout.tsx'
import { Market, type SiteDeps } from '../../site/market.ts'
import { useVisit, type Visit, visitOf } from '../../site/visit.ts'
import type { Listing } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import { frameAncestors, isAllowedPage, SHOWN_LISTINGS, sourceOf } from '../rules.ts'
import { findShown, type ShownWidget } from '../service.ts'

interface ById {
  Params: { id: string }
}

type Theme = 'light' | 'dark' | 'auto'

/** Agent data shown in the frame. */
interface Person {
  name: string
  slug: string
  phone: string | null
}

/** The script agents embed, and the content of its frame. */
export function registerWidgetPages(app: FastifyInstance, deps: SiteDeps): void {
  const { db, publicUrl, visitors } = deps
  const market = new Market(deps)

  app.get('/widget.js', { config: { compression: 'once' } }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .headers({
        // The file name never changes: a one-hour cache lets sites pick up updates.
        'cache-control': 'public, max-age=3600',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(assetFile('widget.js').bytes),
  )

  /** Renders the frame, unless the widget is unknown, turned off or not allowed on the embedding page. */
  async function within(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    draw: (frame: Frame, widget: ShownWidget, agent: Person) => Promise<FastifyReply>,
  ) {
    const widget = await findShown(db, request.params.id)
    const agent = widget && (await findAgent(db, widget.agent_slug))
    const visit = visitOf(deps, widget?.lang ?? 'es', `/widget/${widget?.id ?? ''}`)
    const frame = new Frame(
      reply,
      visit,
      themeOf(request),
      widget ? frameAncestors(widget.domains) : "'none'",
    )
    if (!widget || !agent) return frame.send(<Absent />, { status: 404 })
    if (isElsewhere(request, widget, publicUrl)) return frame.send(<NotAllowed />, { status: 403 })
    return draw(frame, widget, agent)
  }

  app.get<ById>('/widget/:id', (request, reply) =>
    within(request, reply, async (frame, widget, agent) => {
      if (widget.kind === 'listings') {
        const { listings, pagination } = await market.find({
          agents: [widget.agent_id],
          limit: SHOWN_LISTINGS,
        })
        const ids = listings.map(({ id }) => id)
        deps.countShown(request, 'appearances', ids, 'widget')
        return frame.send(<Listings {...{ agent, listings }} total={pagination.total} />, {
          links: 'outside',
        })
      }
      const token = await issueForm(visitors)
      return frame.send(<Inquiry {...{ widget, agent, token }} action={frame.action} now={visitors.now()} />)
    }),
  )

  app.post<ById>('/widget/:id', (request, reply) =>
    within(request, reply, async (frame, widget, agent) => {
      if (widget.kind !== 'inquiry') return frame.send(<Absent />, { status: 404 })
      const form = formOf(request)
      const result = await receiveVisitor(visitors, form, {
        agentId: widget.agent_id,
        source: sourceOf(widget.id),
        lang: widget.lang,
        address: request.ip,
      })
      if (!isRefused(result)) return frame.send(<Thanks agent={agent} action={frame.action} />)
      if (result.outcome === 'too_many') reply.header('retry-after', result.retryAfter)
      const token = await tokenAfter(visitors, form, result)
      return frame.send(
        <Inquiry
          {...{ widget, agent, token }}
          action={frame.action}
          now={visitors.now()}
          values={form}
          refused={result}
        />,
        { status: statusOf(result) },
      )
    }),
  )
}

/**
 * Whether another site embeds the frame or submits its form. A request without a referrer passes: browsers enforce
 * frame-ancestors, and everything here is public.
 */
function isElsewhere(request: FastifyRequest, widget: ShownWidget, publicUrl: string): boolean {
  const site = headerOf(request, 'sec-fetch-site')
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin') return true
  const referrer = headerOf(request, 'referer')
  if (referrer === undefined) return false
  const isOwn =
    referrer.startsWith(`${publicUrl}/`) ||
    (URL.canParse(referrer) && new URL(referrer).host === request.headers.host)
  return !isOwn && !isAllowedPage(referrer, widget.domains)
}

function themeOf(request: FastifyRequest): Theme {
  const theme = (request.query as URLSearchParams).get('theme')
  return theme === 'dark' || theme === 'auto' ? theme : 'light'
}

const THEMES: Record<Theme, string | undefined> = { light: 'lonja', dark: 'lonja-dark', auto: undefined }

/** The page inside the frame: no header or menu, and links open in a new tab. */
class Frame {
  readonly #reply: FastifyReply
  readonly #visit: Visit
  readonly #theme: Theme
  readonly #ancestors: string

  constructor(reply: FastifyReply, visit: Visit, theme: Theme, ancestors: string) {
    this.#reply = reply
    this.#visit = visit
    this.#theme = theme
    this.#ancestors = ancestors
  }

  /** Form target: the same frame with the same options. */
  get action(): string {
    return this.#theme === 'light' ? this.#visit.path : `${this.#visit.path}?theme=${this.#theme}`
  }

  send(content: ComponentChildren, { status = 200, links }: { status?: number; links?: 'outside' } = {}) {
    const { lang } = this.#visit
    this.#reply.code(status).headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    return sendPage(
      this.#reply,
      <Visited visit={this.#visit}>
        <html lang={LANG_TAGS[lang]} data-theme={THEMES[this.#theme]}>
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex" />
            <title>Lonja</title>
            {links === 'outside' && <base target="_blank" />}
            <link rel="stylesheet" href={asset('styles.css')} />
            <script src={asset('site.js')} defer />
            <script src={asset('widget-frame.js')} defer />
          </head>
          <body class="site">
            <main class="p-4">{content}</main>
          </body>
        </html>
      </Visited>,
      { frameAncestors: this.#ancestors },
    )
  }
}

function Listings({ agent, listings, total }: { agent: Person; listings: Listing[]; total: number }) {
  const { t, to } = useVisit()
  return (
    <>
      <h1 class="mb-4 text-xl font-semibold">
        {t(`Propiedades de ${agent.name}`, `Listings by ${agent.name}`)}
      </h1>
      {listings.length > 0 ? (
        <ListingGrid listings={listings} level={2} />
      ) : (
        <Nothing icon="home" title={t('Por ahora no hay propiedades', 'No properties yet')} />
      )}
      <p class="mt-4 flex flex-wrap justify-between gap-2 text-sm">
        <a class="link font-medium" href={to(`/agentes/${agent.slug}`)} rel="noopener">
          {total > listings.length
            ? t(`Ver las ${total} propiedades`, `View all ${total} properties`)
            : t(`Ver la página de ${agent.name}`, `View ${agent.name}’s page`)}
        </a>
        <a class="link opacity-80" href={to('/')} rel="noopener">
          Lonja
        </a>
      </p>
    </>
  )
}

function Inquiry(props: {
  widget: ShownWidget
  agent: Person
  token: string
  action: string
  now: number
  values?: URLSearchParams
  refused?: Refused
}) {
  const { t, to } = useVisit()
  const { agent, token, action, now, values, refused } = props
  return (
    <>
      <h1 class="mb-4 text-xl font-semibold">{t(`Escríbele a ${agent.name}`, `Contact ${agent.name}`)}</h1>
      <VisitorForm
        {...{ action, token, now, values, refused }}
        privacyHref={to('/privacidad')}
        otherWays={agent.phone && <ContactLinks phone={agent.phone} newTab />}
      />
    </>
  )
}

function Thanks({ agent, action }: { agent: Person; action: string }) {
  const { t } = useVisit()
  return (
    <div class="nothing" role="status">
      <Icon name="check" size={44} />
      <h1>{t('¡Gracias! Tu mensaje va en camino', 'Thank you! Your message is on its way')}</h1>
      <p>
        {t(
          `${agent.name} lo recibió y te contestará al correo o teléfono que dejaste.`,
          `${agent.name} received it and will reply to the email or phone you left.`,
        )}
      </p>
      <a class="btn" href={action}>
        {t('Enviar otro mensaje', 'Send another message')}
      </a>
    </div>
  )
}

function NotAllowed() {
  const { t } = useVisit()
  return (
    <Nothing level={1} icon="home" title={t('Sitio no permitido', 'Site not allowed')}>
      <p>
        {t(
          'El agente elige los dominios donde se muestra este widget.',
          'The agent chooses which domains may show this widget.',
        )}
      </p>
    </Nothing>
  )
}

function Absent() {
  const { t } = useVisit()
  return (
    <Nothing
      level={1}
      icon="home"
      title={t('Este widget ya no está en uso', 'This widget is no longer in use')}
    />
  )
}
