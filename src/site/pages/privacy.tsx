import type { FastifyInstance } from 'fastify'
import { CONFIRM_HOURS } from '../../alerts/rules.ts'
import { SHOWING_DAYS } from '../../leads/rules.ts'
import { PRIVACY_EDITION } from '../../leads/visitors/service.ts'
import type { Lang } from '../../lib/i18n.ts'
import { sendSitePage } from '../layout.tsx'
import type { SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { dateText } from '../words.ts'

/** Visitors accept this text: when you change it, set PRIVACY_EDITION to that day. */
export function registerPrivacy(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  app.get(localPath(lang, '/privacidad'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/privacidad')
    const title = visit.t('Aviso de privacidad', 'Privacy notice')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Qué datos pedimos a quien pregunta por una propiedad, para qué y por cuánto tiempo.',
          'Which data we ask of whoever inquires about a property, what for and for how long.',
        ),
      },
      <Notice title={title} days={deps.idRetentionDays} contact={deps.privacyContact} />,
    )
  })
}

function Notice({ title, days, contact }: { title: string; days: number; contact: string | undefined }) {
  const { lang, t } = useVisit()
  return (
    <article class="wrap prose-page py-10">
      <h1 class="page-title">{title}</h1>
      <p>
        {t('Edición del', 'Edition of')} {dateText(`${PRIVACY_EDITION}T12:00:00Z`, lang)}
      </p>
      <Responsible contact={contact} />
      <Data />
      <h2>{t('Quién los ve', 'Who sees them')}</h2>
      <p>
        {t(
          'Tu mensaje lo ve el agente a quien escribes, que puede recibirlo en los sistemas con los que trabaja. Tu identificación se guarda cifrada; solo la ven ese agente y el operador, en una pantalla hecha para revisarla. No se envía por correo ni a otros sistemas.',
          'Your message is seen by the agent you write to, who may receive it in the systems they work with. Your identification is kept encrypted; only that agent and the operator see it, on a screen made to check it. It is not sent by mail nor to other systems.',
        )}
      </p>
      <h2>{t('Por cuánto tiempo', 'For how long')}</h2>
      <p>
        {t(
          `La identificación se borra ${days} días después de la visita, o de inmediato si no se acepta; nunca se guarda más de ${SHOWING_DAYS + days} días desde que la envías. Tu mensaje y tus datos de contacto los conserva el agente mientras te atiende, o hasta que pidas borrarlos. De un aviso borramos tu correo cuando lo terminas, si no lo activas en ${CONFIRM_HOURS} horas, o tras un año sin que lo uses, avisándote antes.`,
          `The identification is erased ${days} days after the showing, or at once if it is not accepted; it is never kept for more than ${SHOWING_DAYS + days} days after you send it. Your message and contact details are kept by the agent while attending to you, or until you ask for their erasure. Your address is erased from an alert when you end it, if you do not turn it on within ${CONFIRM_HOURS} hours, or after a year without use, with a warning before.`,
        )}
      </p>
      <Rights contact={contact} />
      <h2>{t('Cambios', 'Changes')}</h2>
      <p>
        {t(
          'Si este aviso cambia, aquí se publica la edición nueva con su fecha. Con tu mensaje queda anotada la que aceptaste.',
          'If this notice changes, the new edition is published here with its date. The one you agreed to is noted with your message.',
        )}
      </p>
    </article>
  )
}

function Responsible({ contact }: { contact: string | undefined }) {
  const { t, publicUrl } = useVisit()
  const host = new URL(publicUrl).host
  return (
    <>
      <h2>{t('Quién es responsable de tus datos', 'Who is responsible for your data')}</h2>
      <p>
        {t(
          `El agente inmobiliario a quien escribes, y quien opera ${host}, que guarda los datos por encargo suyo y cuida el sitio. El nombre y el teléfono del agente están en la página desde la que le escribes.`,
          `The real estate agent you write to, and the operator of ${host}, who keeps the data on the agent’s behalf and looks after the site. The agent’s name and phone are on the page you write from.`,
        )}
        {contact && (
          <>
            {' '}
            {t('El operador atiende en', 'The operator can be reached at')}{' '}
            <a class="link" href={`mailto:${contact}`}>
              {contact}
            </a>
            .
          </>
        )}
      </p>
    </>
  )
}

function Data() {
  const { t } = useVisit()
  return (
    <>
      <h2>{t('Qué datos y para qué', 'Which data, and what for')}</h2>
      <ul>
        <li>
          {t(
            'Al preguntar: tu nombre, correo o teléfono y tu mensaje, para que el agente te conteste. También guardamos cuándo aceptaste este aviso.',
            'When you ask: your name, email or phone and your message, so that the agent can answer. We also keep when you agreed to this notice.',
          )}
        </li>
        <li>
          {t(
            'Al pedir una visita: además el día y la hora, y una identificación: tu nombre como aparece en el documento, su tipo, su número y una foto. Sirve solo para saber quién visitará la propiedad.',
            'When you ask for a showing: also day and time, and an identification: your name as on the document, its kind, its number and a photo. It only serves to know who will visit the property.',
          )}
        </li>
        <li>
          {t(
            'Al pedir un aviso: tu correo, la búsqueda y cada cuándo quieres recibirlo, para escribirte cuando haya propiedades que coincidan. Lo guarda quien opera el sitio; ningún agente lo ve.',
            'When you ask for an alert: your email, the search and how often you want it, to write to you when properties match. The operator of the site keeps it; no agent sees it.',
          )}
        </li>
        <li>
          {t(
            'Tu dirección de internet se cuenta unos minutos en memoria para frenar el correo basura; no se guarda con tu mensaje.',
            'Your internet address is counted in memory for some minutes to hold back spam; it is not kept with your message.',
          )}
        </li>
      </ul>
      <p>
        {t(
          'Contamos cuántas veces se ve, se guarda o se comparte cada propiedad, por día y por tipo de sitio del que se llega; nada de quién lo hizo.',
          'We count how often each property is seen, saved or shared, by day and by the kind of site people come from; nothing of who did.',
        )}
      </p>
      <p>
        {t(
          'Tus favoritos y las propiedades que viste se guardan solo en tu navegador; puedes borrarlos con los datos del sitio.',
          'Your favorites and the properties you saw are kept in your browser only; you can delete them with the site’s data.',
        )}
      </p>
      <p>
        {t(
          'No los usamos para publicidad, no los vendemos y este sitio no usa cookies de seguimiento.',
          'We do not use them for advertising, do not sell them, and this site uses no tracking cookies.',
        )}
      </p>
    </>
  )
}

function Rights({ contact }: { contact: string | undefined }) {
  const { t } = useVisit()
  return (
    <>
      <h2>{t('Tus derechos', 'Your rights')}</h2>
      <p>
        {t(
          'Puedes pedir acceso a tus datos, corregirlos, cancelarlos u oponerte a su uso (derechos ARCO), y retirar tu consentimiento cuando quieras. Escríbele al agente',
          'You may ask to see your data, to correct or erase them, or object to their use (ARCO rights), and take your consent back at any time. Write to the agent',
        )}{' '}
        {contact
          ? t('o al operador, en la dirección de arriba.', 'or to the operator, at the address above.')
          : t('o a quien opera este sitio.', 'or to the operator of this site.')}{' '}
        {t(
          'Di con qué correo o teléfono escribiste, para encontrarlos.',
          'Say which email or phone you wrote with, so that they can be found.',
        )}
      </p>
    </>
  )
}
