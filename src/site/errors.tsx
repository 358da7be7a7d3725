import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerTo, logFault } from '../http/errors.ts'
import type { Lang } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'
import { Nothing, sendSitePage } from './layout.tsx'
import { useVisit, visitOf } from './visit.ts'

/** Not found, in the visitor's language. */
export class NoPage extends Problem {
  readonly lang: Lang

  constructor(lang: Lang) {
    super('not_found')
    this.lang = lang
  }
}

const langOf = (url: string): Lang => (/^\/en(\/|\?|$)/.test(url) ? 'en' : 'es')

/** Errors on the site are pages. */
export const errorPage =
  (site: { publicUrl: string }) =>
  (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers } = answerTo(error, request.id)
    logFault(error, status, request)
    const visit = visitOf(site, langOf(request.url), '/')
    const title =
      status === 404
        ? visit.t('No encontramos esta página', 'Page not found')
        : status === 503
          ? visit.t('Volvemos en un momento', 'We will be right back')
          : status < 500
            ? visit.t('No pudimos procesar tu solicitud', 'We could not process your request')
            : visit.t('Algo salió mal', 'Something went wrong')
    reply.headers(headers)
    return sendSitePage(
      reply,
      visit,
      { title: `${title} | Lonja`, description: title, status },
      <Fault status={status} title={title} requestId={request.id} />,
    )
  }

function Fault({ status, title, requestId }: { status: number; title: string; requestId: string }) {
  const { t, to } = useVisit()
  return (
    <div class="wrap py-16">
      <Nothing icon={status === 404 ? 'search' : 'home'} title={title} level={1}>
        <p>
          {status === 404
            ? t(
                'La página no existe, o lo que mostraba ya no es público.',
                'The page does not exist, or what it showed is no longer public.',
              )
            : status === 503
              ? t('Vuelve a intentarlo en unos segundos.', 'Try again in a few seconds.')
              : status === 429
                ? t('Demasiados intentos: espera diez minutos.', 'Too many attempts: wait ten minutes.')
                : status < 500
                  ? t(
                      'Lo que enviaste no es válido o es demasiado grande.',
                      'What you sent is invalid or too large.',
                    )
                  : t(
                      `Algo salió mal de nuestro lado. Si el problema continúa, danos este número: ${requestId}`,
                      `Something went wrong on our side. If the problem persists, give us this number: ${requestId}`,
                    )}
        </p>
        <div class="flex flex-wrap justify-center gap-2">
          <a class="btn btn-primary" href={to('/propiedades')}>
            {t('Buscar propiedades', 'Search properties')}
          </a>
          <a class="btn btn-outline" href={to('/')}>
            {t('Ir al inicio', 'Go to home page')}
          </a>
        </div>
      </Nothing>
    </div>
  )
}
