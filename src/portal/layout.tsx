/**
 * How to add a screen
 *
 * 1. Write one file per screen in the folder's `portal/` (or `operator/`), named after its path: /portal/leads is
 *    `leads/portal/leads.tsx`, /portal/leads/:id is `lead.tsx`. It contains the routes and components of that screen;
 *    `routes.tsx` next to it calls its register function. Paths are relative to /portal and already pass the guard.
 *    Routes are for signed-in agents unless they say otherwise: OPEN, VERIFIED, OPERATOR in guard.ts.
 *
 *      export function registerNotes(app: FastifyInstance, { db }: PortalDeps): void {
 *        app.get('/notes', (request, reply) => send(request, reply))
 *
 * 2. A form is `<Form action values errors>` with the fields of ui/forms.tsx; it includes the token, keeps the typed
 *    values and shows issues next to their fields. Its route is a formRoute (form-route.ts):
 *
 *        formRoute(app, {
 *          path: '/notes',
 *          run: request => addNote(db, signedIn(request).id, request.form.get('note')),
 *          redraw: send,
 *          done: ({ visit: { t } }, reply) => goTo(reply, '/portal/notes', t('Nota agregada.', 'Note added.')),
 *        })
 *
 *        async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
 *          const { t } = request.visit
 *          const notes = await listNotes(db, signedIn(request).id)
 *          const screen = { title: t('Notas', 'Notes'), section: 'leads' as const }
 *          return sendScreen(request, reply, screen, <Notes notes={notes} {...shown} />)
 *        }
 *      }
 *
 *    `access: 'anyone' | 'verified' | 'operator'`; `read` loads the form's subject first. Files:
 *    `upload: { files: 20, fileBytes: 15 * MB }`, `<Form upload>`, then `request.uploads`. `saveImage(deps.files, 'media',
 *    bytes, sizes)` re-encodes and stores one; `mediaPath(name)` is its path.
 *
 * 3. Components call `useVisit()` for `t`, `lang` and `agent`. Shared components are in ui/: Panel, Empty, Badge, Stat,
 *    BarChart, Time, TabLinks, Pager. Throw a Problem for anything else: 'not_found' becomes a page,
 *    and a Refusal (refusal.ts) gives the reason in the visitor's language.
 *    With htmx: `sendFragment(request, reply, <Piece />)` sends part of a page; include the token by submitting the
 *    form, or as header x-form-token (its value is in <meta name="form-token">).
 *
 * Nothing inline (no style=, no onclick): the Content-Security-Policy blocks it. After new classes: npm run css.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { asset } from '../http/assets.ts'
import { foreignStreets } from '../http/base-map.ts'
import { sendPage } from '../http/html.tsx'
import { LANG_TAGS } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'
import { ReaderContext } from '../ui/context.ts'
import { useVisit, VisitContext } from './context.ts'
import { Inside, Outside, type Screen } from './frames.tsx'
import type { PortalAgent } from './sessions.ts'
import { clearFlash, type Flash, setFlash, type Visit } from './visit.ts'

/** The signed-in agent, for routes that require one. */
export function signedIn(request: FastifyRequest): PortalAgent {
  const { agent } = request.visit
  if (!agent) throw new Problem('not_found')
  return agent
}

function Visited({ visit, children }: { visit: Visit; children: ComponentChildren }) {
  return (
    <VisitContext.Provider value={visit}>
      <ReaderContext.Provider value={visit}>{children}</ReaderContext.Provider>
    </VisitContext.Provider>
  )
}

export function sendScreen(
  request: FastifyRequest,
  reply: FastifyReply,
  screen: Screen,
  content: ComponentChildren,
): FastifyReply {
  const { visit } = request
  if (visit.flash) clearFlash(reply, reply.server.portalIsSecure)
  if (screen.status !== undefined) reply.code(screen.status)
  return sendPage(
    reply,
    <Visited visit={visit}>
      <Page screen={screen}>{content}</Page>
    </Visited>,
    { connect: foreignStreets(screen.baseMap ?? {}), frames: screen.frames ?? false },
  )
}

/** A part of a page, for htmx. */
export function sendFragment(
  request: FastifyRequest,
  reply: FastifyReply,
  content: VNode,
  status = 200,
): FastifyReply {
  const html = render(<Visited visit={request.visit}>{content}</Visited>)
  return reply.code(status).type('text/html; charset=utf-8').send(html)
}

/** Redirect after a form, with a flash message. */
export function goTo(reply: FastifyReply, path: string, flash?: string | Flash): FastifyReply {
  if (flash !== undefined) {
    const message = typeof flash === 'string' ? { kind: 'success' as const, text: flash } : flash
    setFlash(reply, reply.server.portalIsSecure, message)
  }
  return reply.redirect(path, 303)
}

const THEMES = { light: 'lonja', dark: 'lonja-dark', system: undefined }

function Page({ screen, children }: { screen: Screen; children: ComponentChildren }) {
  const { lang, theme, agent, formToken } = useVisit()
  const styles = (screen.assets ?? []).filter(name => name.endsWith('.css'))
  const scripts = (screen.assets ?? []).filter(name => name.endsWith('.js'))
  return (
    <html lang={LANG_TAGS[lang]} data-theme={THEMES[theme]}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="form-token" content={formToken} />
        <meta name="htmx-config" content='{"history":false}' />
        <title>{`${screen.title} · Lonja`}</title>
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={asset('styles.css')} />
        {styles.map(name => (
          <link key={name} rel="stylesheet" href={asset(name)} />
        ))}
        <script src={asset('htmx.js')} defer />
        <script src={asset('portal.js')} defer />
        {scripts.map(name => (
          <script key={name} src={asset(name)} defer />
        ))}
      </head>
      <body class="min-h-screen bg-base-200 text-base-content">
        <SkipLink />
        {agent ? (
          <Inside agent={agent} screen={screen}>
            {children}
          </Inside>
        ) : (
          <Outside screen={screen}>{children}</Outside>
        )}
      </body>
    </html>
  )
}

function SkipLink() {
  const { t } = useVisit()
  return (
    <a
      href="#content"
      class="btn btn-primary sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    >
      {t('Ir al contenido', 'Skip to content')}
    </a>
  )
}
