import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerTo, logFault } from '../http/errors.ts'
import type { Lang } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'
import { Nothing, sendSitePage } from './layout.tsx'
import { useVisit, visitOf } from './visit.ts'

/** Nothing here for everybody to see, said in the visitor's language. */
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
        ? visit.t('Aquí no hay nada', 'There is nothing here')
        : status === 503
          ? visit.t('Estamos arrancando', 'We are just starting')
          : status < 500
            ? visit.t('No pudimos recibirlo', 'We could not take that')
            : visit.t('Algo falló', 'Something failed')
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
                ? t('Fueron demasiados intentos: espera diez minutos.', 'Too many tries: wait ten minutes.')
                : status < 500
                  ? t(
                      'Lo que llegó no era lo que esperábamos, o era demasiado grande.',
                      'What came was not what we expected, or too large.',
                    )
                  : t(
                      `Fue una falla nuestra. Si sigue, dinos este número: ${requestId}`,
                      `A fault on our side. If it persists, tell us this number: ${requestId}`,
                    )}
        </p>
        <div class="flex flex-wrap justify-center gap-2">
          <a class="btn btn-primary" href={to('/propiedades')}>
            {t('Buscar propiedades', 'Search properties')}
          </a>
          <a class="btn btn-outline" href={to('/')}>
            {t('Ir al inicio', 'Go home')}
          </a>
        </div>
      </Nothing>
    </div>
  )
}
