import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { sendSitePage } from '../layout.tsx'
import type { SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'

/** What Lonja is, for agents who do not have an account yet. */
export function registerForAgents(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  app.get(localPath(lang, '/para-agentes'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/para-agentes')
    return sendSitePage(
      reply,
      visit,
      {
        title: visit.t('Para agentes inmobiliarios | Lonja', 'For real estate agents | Lonja'),
        description: visit.t(
          'La bolsa inmobiliaria de los agentes con licencia en México: publica, comparte comisión y recibe prospectos.',
          'The listing exchange for licensed agents in Mexico: publish, share commissions and receive leads.',
        ),
      },
      <ForAgents />,
    )
  })
}

function ForAgents() {
  const { t } = useVisit()
  return (
    <div class="wrap py-10">
      <h1 class="page-title">
        {t('La bolsa de los agentes inmobiliarios', 'The listing exchange for real estate agents')}
      </h1>
      <p class="mt-4 max-w-prose text-lg">
        {t(
          'En Lonja, los agentes con licencia verificada publican sus propiedades una sola vez, las ofrecen a sus colegas compartiendo comisión y reciben a sus clientes directamente. Es gratis.',
          'On Lonja, agents with a verified license publish their listings once, offer them to colleagues with a shared commission and get inquiries directly. It is free.',
        )}
      </p>
      <p class="mt-6 flex flex-wrap gap-3">
        <a class="btn btn-primary" href="/portal/sign-up">
          {t('Crear mi cuenta', 'Create my account')}
        </a>
        <a class="btn" href="/portal/sign-in">
          {t('Ya tengo cuenta', 'I have an account')}
        </a>
      </p>
      <Benefits />
      <Steps />
      <p class="mt-8 max-w-prose">
        {t(
          '¿Tienes tu propio sitio o un CRM? Conéctalo con',
          'Do you have your own site or a CRM? Connect it with',
        )}{' '}
        <a class="link" href="/docs">
          {t('la API y los webhooks', 'the API and webhooks')}
        </a>
        .
      </p>
    </div>
  )
}

function Benefits() {
  const { t } = useVisit()
  const benefits: [IconName, string, string][] = [
    [
      'building',
      t('Un solo inventario', 'One inventory'),
      t(
        'Captura, importa de una hoja de cálculo o conecta EasyBroker. Publica en tu sitio, en widgets y en otros portales.',
        'Enter it, import a spreadsheet or connect EasyBroker. Publish on your site, in widgets and on other portals.',
      ),
    ],
    [
      'handshake',
      t('Comparte la comisión', 'Share the commission'),
      t(
        'Busca en las propiedades de tus colegas, ve la comisión que comparten y deja cada acuerdo por escrito.',
        'Search your colleagues’ listings, see the commission they share and put every agreement in writing.',
      ),
    ],
    [
      'people',
      t('Tus prospectos son tuyos', 'Your leads are yours'),
      t(
        'Llegan a tu correo y a tu tablero. Ningún otro agente los ve, y cada visita se hace con identificación.',
        'They arrive in your email and on your board. No other agent sees them, and every showing requires identification.',
      ),
    ],
    [
      'shield',
      t('Solo agentes verificados', 'Verified agents only'),
      t(
        'Revisamos la licencia estatal, la membresía AMPI o el certificado CONOCER de cada agente.',
        'We review each agent’s state license, AMPI membership or CONOCER certificate.',
      ),
    ],
  ]
  return (
    <ul class="mt-10 grid gap-6 sm:grid-cols-2">
      {benefits.map(([icon, title, text]) => (
        <li class="flex gap-4">
          <Icon name={icon} size={28} />
          <div class="min-w-0">
            <h2 class="text-xl font-semibold">{title}</h2>
            <p class="mt-1">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function Steps() {
  const { t } = useVisit()
  const steps = [
    t('Crea tu cuenta y confirma tu correo.', 'Create your account and confirm your email.'),
    t('Envía tu licencia, membresía o certificado.', 'Submit your license, membership or certificate.'),
    t('Captura tus propiedades mientras la revisamos.', 'Enter your listings while we review it.'),
    t('Publica y empieza a recibir prospectos.', 'Publish and start receiving leads.'),
  ]
  return (
    <section class="listing-section">
      <h2>{t('Cómo empezar', 'How to start')}</h2>
      <ol class="list-decimal pl-6 leading-relaxed">
        {steps.map(step => (
          <li>{step}</li>
        ))}
      </ol>
    </section>
  )
}
