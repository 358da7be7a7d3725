import type { FastifyInstance, FastifyReply } from 'fastify'
import { formOf, queryOf } from '../../http/forms.ts'
import { issueForm, statusOf, tokenAfter } from '../../leads/visitors/service.ts'
import type { Lang } from '../../lib/i18n.ts'
import { chipsOf } from '../../listings/public/filters.ts'
import { Nothing, sendSitePage } from '../../site/layout.tsx'
import type { SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../site/visit.ts'
import { Icon } from '../../ui/icons.tsx'
import { CONFIRM_HOURS, filterQuery, queryIssues } from '../rules.ts'
import { signUp } from '../service.ts'
import { SignUpForm, type SignUpFormProps } from './form.tsx'

/** "Avísame" on a search: the form, and the page that says to look for the mail. */
export function registerAlertSignUp(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  const { visitors } = deps
  const path = localPath(lang, '/avisos')
  const visitAt = (address: string) => visitOf(deps, lang, address)

  app.get(path, async (request, reply) => {
    const query = filterQuery(queryOf(request))
    const visit = visitAt(query.size > 0 ? `/avisos?${query}` : '/avisos')
    if (queryIssues(query).length > 0) return sendNoSearch(reply, visit)
    return sendForm(reply, visit, { query, token: await issueForm(visitors) })
  })

  app.post(path, async (request, reply) => {
    const form = formOf(request)
    const query = filterQuery(new URLSearchParams(form.get('query') ?? ''))
    const visit = visitAt(`/avisos?${query}`)
    const result = await signUp(visitors, form, { lang, address: request.ip })
    if (result.outcome === 'received') return reply.redirect(localPath(lang, '/avisos/gracias'), 303)
    if (result.outcome === 'full') return sendFull(reply, visit)
    if (queryIssues(query).length > 0) return sendNoSearch(reply, visit, 422)
    if (result.outcome === 'too_many') reply.header('retry-after', result.retryAfter)
    const token = await tokenAfter(visitors, form, result)
    return sendForm(reply, visit, { query, token, values: form, refused: result }, statusOf(result))
  })

  app.get(localPath(lang, '/avisos/gracias'), async (_request, reply) => {
    const visit = visitAt('/avisos/gracias')
    const title = visit.t('Revisa tu correo', 'Check your email')
    return sendSitePage(reply, visit, headOf(title), <Thanks title={title} />)
  })
}

const headOf = (title: string, status = 200) =>
  ({ title: `${title} | Lonja`, description: title, indexed: false, status }) as const

function sendForm(reply: FastifyReply, visit: Visit, form: SignUpFormProps, status = 200) {
  const title = visit.t('Avísame de propiedades nuevas', 'Alert me about new properties')
  return sendSitePage(reply, visit, headOf(title, status), <SignUpPage title={title} form={form} />)
}

function SignUpPage({ title, form }: { title: string; form: SignUpFormProps }) {
  const { t } = useVisit()
  return (
    <div class="wrap pt-8 pb-16">
      <h1 class="page-title">{title}</h1>
      <p class="mt-2 mb-4 max-w-prose opacity-80">
        {t(
          'Te escribimos cuando se publique una propiedad que coincida con tu búsqueda, o cuando una baje de precio. Puedes cancelarlo con un clic.',
          'We email you when a property that matches your search is published or drops in price. You can cancel it with one click.',
        )}
      </p>
      <SearchWords query={form.query} />
      <div class="inquiry max-w-2xl">
        <SignUpForm {...form} />
      </div>
    </div>
  )
}

/** The filters, with the way to the results. */
export function SearchWords({ query }: { query: URLSearchParams }) {
  const { lang, t, to } = useVisit()
  return (
    <p class="alert-search">
      {chipsOf(query, lang).map(({ text }) => (
        <span>{text}</span>
      ))}
      <a class="link" href={to(`/propiedades?${query}`)}>
        {t('Ver resultados', 'See results')}
      </a>
    </p>
  )
}

function Thanks({ title }: { title: string }) {
  const { t, to } = useVisit()
  return (
    <div class="wrap py-12">
      <div class="nothing" role="status">
        <Icon name="mail" size={44} />
        <h1>{title}</h1>
        <p class="max-w-prose">
          {t(
            `Te enviamos un enlace para activar el aviso; sirve ${CONFIRM_HOURS} horas. Si no lo ves en unos minutos, busca en el correo no deseado. Enviamos un solo enlace por correo cada diez minutos.`,
            `We sent you a link to turn the alert on; it works for ${CONFIRM_HOURS} hours. If you do not see it in a few minutes, check your spam folder. We send one link per address every ten minutes.`,
          )}
        </p>
        <a class="btn btn-primary" href={to('/propiedades')}>
          {t('Seguir buscando', 'Keep searching')}
        </a>
      </div>
    </div>
  )
}

function sendNoSearch(reply: FastifyReply, visit: Visit, status = 200) {
  const title = visit.t('Primero busca lo que quieres', 'Search for what you want first')
  return sendSitePage(
    reply,
    visit,
    headOf(title, status),
    <div class="wrap py-12">
      <Nothing title={title} level={1}>
        <p class="max-w-prose">
          {visit.t(
            'Elige al menos un filtro, como la ciudad o el precio, y presiona «Avísame» en los resultados.',
            'Choose at least one filter, such as the city or the price, and press “Alert me” in the results.',
          )}
        </p>
        <a class="btn btn-primary" href={localPath(visit.lang, '/propiedades')}>
          {visit.t('Buscar propiedades', 'Search properties')}
        </a>
      </Nothing>
    </div>,
  )
}

function sendFull(reply: FastifyReply, visit: Visit) {
  const title = visit.t('Por ahora no podemos tomar más avisos', 'We cannot take more alerts right now')
  return sendSitePage(
    reply,
    visit,
    headOf(title, 503),
    <div class="wrap py-12">
      <Nothing title={title} level={1} />
    </div>,
  )
}
