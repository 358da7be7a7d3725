import type { FastifyInstance, FastifyReply } from 'fastify'
import { formOf, queryOf } from '../../http/forms.ts'
import type { Lang } from '../../lib/i18n.ts'
import type { Issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { readUnsubscribeToken } from '../../lib/unsubscribe.ts'
import { Nothing, sendSitePage } from '../../site/layout.tsx'
import type { SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../site/visit.ts'
import { dateText } from '../../site/words.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { readPace } from '../rules.ts'
import { type AlertRow, findAlert, stopAlert, useAlert } from '../service.ts'
import { PaceField } from './form.tsx'
import { SearchWords } from './sign-up.tsx'

interface ByToken {
  Params: { token: string }
}

interface AlertPageDeps extends SiteDeps {
  unsubscribeKey(): Promise<Buffer>
}

/** The page of the private link: turns the alert on, changes it, ends it. Opening it does nothing: mail programs do. */
export function registerAlertPage(app: FastifyInstance, deps: AlertPageDeps, lang: Lang): void {
  const { db } = deps
  const path = localPath(lang, '/avisos/:token')
  const visitAt = (token: string) => visitOf(deps, lang, `/avisos/${encodeURIComponent(token)}`)

  async function alertOf(token: string): Promise<AlertRow | undefined> {
    const found = readUnsubscribeToken(await deps.unsubscribeKey(), token)
    return found?.mailing === 'alerts' ? findAlert(db, found.id) : undefined
  }

  app.get<ByToken>(path, async (request, reply) => {
    const visit = visitAt(request.params.token)
    const alert = await alertOf(request.params.token)
    if (!alert) return sendGone(reply, visit)
    return sendAlert(reply, visit, { alert, isSaved: queryOf(request).has('guardado') })
  })

  app.post<ByToken>(path, async (request, reply) => {
    const visit = visitAt(request.params.token)
    const alert = await alertOf(request.params.token)
    if (!alert) return sendGone(reply, visit)
    const form = formOf(request)
    if (form.get('do') === 'end') {
      await stopAlert(db, alert.id)
      return sendEnded(reply, visit, alert)
    }
    try {
      await useAlert(db, alert.id, readPace(form))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.kind === 'not_found') return sendGone(reply, visit)
      return sendAlert(reply, visit, { alert, errors: error.details.issues ?? [] }, 409)
    }
    return reply.redirect(`${localPath(lang, visit.path)}?guardado`, 303)
  })
}

const headOf = (title: string, status = 200) =>
  ({ title: `${title} | Lonja`, description: title, private: true, status }) as const

interface Shown {
  alert: AlertRow
  isSaved?: boolean
  errors?: readonly Issue[]
}

function sendAlert(reply: FastifyReply, visit: Visit, shown: Shown, status = 200) {
  const title = shown.alert.confirmed_at
    ? visit.t('Tu aviso', 'Your alert')
    : visit.t('Activa tu aviso', 'Turn on your alert')
  return sendSitePage(reply, visit, headOf(title, status), <AlertPage title={title} {...shown} />)
}

function AlertPage({ title, alert, isSaved = false, errors = [] }: Shown & { title: string }) {
  const { lang, t, to, path } = useVisit()
  const isConfirmed = alert.confirmed_at !== null
  return (
    <div class="wrap pt-8 pb-16">
      <h1 class="page-title">{title}</h1>
      {isSaved && isConfirmed && (
        <p class="alert-saved" role="status">
          <Icon name="check" size={18} /> {t('Listo: tu aviso está activo.', 'Done: your alert is on.')}
        </p>
      )}
      <p class="mt-2 mb-4 max-w-prose opacity-80">
        {isConfirmed
          ? t(
              `Activo desde el ${dateText((alert.confirmed_at as Date).toISOString(), lang)}. Avisamos a ${alert.email} de lo que se publica o baja de precio en esta búsqueda:`,
              `On since ${dateText((alert.confirmed_at as Date).toISOString(), lang)}. We email ${alert.email} when a property in this search is published or drops in price:`,
            )
          : t(
              `Avisaremos a ${alert.email} de lo que se publique o baje de precio en esta búsqueda:`,
              `We will email ${alert.email} when a property in this search is published or drops in price:`,
            )}
      </p>
      <SearchWords query={new URLSearchParams(alert.query)} />
      <div class="inquiry max-w-2xl">
        <Form action={to(path)} values={{ pace: alert.pace }} errors={errors}>
          <PaceField />
          <Submit name="do" value="save">
            {!isConfirmed
              ? t('Activar aviso', 'Turn on alert')
              : alert.warned_at
                ? t('Conservar aviso', 'Keep alert')
                : t('Guardar', 'Save')}
          </Submit>
        </Form>
        <Form action={to(path)} class="mt-6 border-t border-base-300 pt-6">
          <p class="mb-3 text-sm opacity-80">
            {t(
              'Al cancelarlo borramos tu correo de este aviso.',
              'When you cancel it, we erase your email from this alert.',
            )}
          </p>
          <Submit name="do" value="end" tone="danger">
            {t('Cancelar aviso', 'Cancel alert')}
          </Submit>
        </Form>
      </div>
    </div>
  )
}

function sendEnded(reply: FastifyReply, visit: Visit, { query }: AlertRow) {
  const title = visit.t('Listo, ya no te avisamos', 'Done, no more alerts')
  return sendSitePage(
    reply,
    visit,
    headOf(title),
    <div class="wrap py-12">
      <div class="nothing" role="status">
        <Icon name="check" size={44} />
        <h1>{title}</h1>
        <p class="max-w-prose">
          {visit.t(
            'Borramos tu correo de este aviso. Puedes volver a pedirlo cuando quieras.',
            'We erased your address from this alert. You can ask for it again at any time.',
          )}
        </p>
        <a class="btn btn-primary" href={localPath(visit.lang, `/propiedades?${query}`)}>
          {visit.t('Ver la búsqueda', 'See the search')}
        </a>
      </div>
    </div>,
  )
}

function sendGone(reply: FastifyReply, visit: Visit) {
  const title = visit.t('Este aviso ya no existe', 'This alert no longer exists')
  return sendSitePage(
    reply,
    visit,
    headOf(title, 404),
    <div class="wrap py-12">
      <Nothing title={title} level={1}>
        <p class="max-w-prose">
          {visit.t(
            'Se canceló, o no se activó a tiempo. También puede faltar una parte del enlace: cópialo completo del correo.',
            'It was canceled, or not turned on in time. Part of the link may also be missing: copy all of it from the email.',
          )}
        </p>
        <a class="btn btn-primary" href={localPath(visit.lang, '/propiedades')}>
          {visit.t('Buscar propiedades', 'Search properties')}
        </a>
      </Nothing>
    </div>,
  )
}
