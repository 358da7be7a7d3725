import { COOPERATION_WORDS, type CooperationParams } from './cooperation-words.ts'
import type { None, Phrases } from './i18n.ts'
import { IMPORT_WORDS, type ImportParams } from './import-words.ts'

/** Issues that only forms and the command line report; those of the API are in issue-words.ts. */
export interface FormParams extends ImportParams, CooperationParams {
  // accounts
  not_a_phone: None
  web_address: None
  wrong_sign_in: None
  too_many_sign_ins: None
  wrong_password: None
  common_password: None
  too_many_tries: None
  agency_exists: None
  licence_waiting: None
  // files
  too_large: { megabytes: number }
  not_a_document: None
  not_a_photo: None
  heic: None
  quota_files: { max: number }
  quota_megabytes: { max: number }
  quota_unverified: None
  // keys, webhooks and widgets
  unknown_scopes: { allowed: readonly string[] }
  not_a_key_prefix: None
  too_many_keys: { max: number }
  url_characters: None
  url_not_https: None
  url_malformed: None
  url_credentials: None
  url_fragment: None
  url_port: None
  url_ours: None
  url_unreachable: None
  unknown_events: { allowed: readonly string[] }
  webhook_exists: None
  too_many_webhooks: { max: number }
  webhook_paused: None
  secrets_overlap: None
  not_a_period: None
  not_a_domain: { value: string }
  too_many_domains: { max: number }
  too_many_widgets: { max: number }
  too_many_feeds: { max: number }
  no_agency: None
  unknown_collection: None
  // listings and collections
  taken: None
  changed_meanwhile: None
  nothing_to_change: None
  no_price_to_change: None
  phrase_not_found: None
  link_without_point: None
  unknown_place: None
  listing_suspended: None
  listing_unavailable: None
  too_many_collections: { max: number }
  too_many_needs: { max: number }
  too_many_tasks: { max: number }
  too_many_alerts: { max: number }
  collection_full: { max: number }
  // leads, showings and identification
  email_or_phone: None
  email_for_showing: None
  listing_for_showing: None
  not_agreed: None
  not_a_date: None
  not_an_hour: None
  in_the_past: None
  in_the_future: None
  too_far_ahead: { days: number }
  below_lowest_budget: None
  not_identified: None
  not_confirmed: None
  nothing_to_decide: None
  nobody_to_ask: None
  identification_waiting: None
  not_a_colleague: None
  lead_in_cooperation: None
  already_member: None
  too_many_invitations: { max: number }
  assistant_with_license: None
}

export const FORM_WORDS: Phrases<FormParams> = {
  ...IMPORT_WORDS,
  ...COOPERATION_WORDS,

  not_a_phone: {
    en: 'must be a Mexican or international number',
    es: 'debe ser un teléfono de México o con clave de país',
  },
  web_address: {
    en: 'must be a name, without a web or email address',
    es: 'debe ser un nombre, sin direcciones de internet ni de correo',
  },
  wrong_sign_in: {
    en: 'The email or the password is not correct.',
    es: 'El correo o la contraseña no son correctos.',
  },
  too_many_sign_ins: {
    en: 'Too many attempts. Wait ten minutes.',
    es: 'Demasiados intentos. Espera diez minutos.',
  },
  wrong_password: { en: 'is not correct', es: 'no es correcta' },
  common_password: {
    en: 'must not be one that many people use',
    es: 'es de las que usa mucha gente: elige otra',
  },
  too_many_tries: {
    en: 'too many attempts: wait ten minutes',
    es: 'demasiados intentos: espera diez minutos',
  },
  agency_exists: {
    en: 'There is already an agency with that name.',
    es: 'Ya hay una inmobiliaria con ese nombre.',
  },
  licence_waiting: {
    en: 'A request is already waiting for the operator.',
    es: 'Ya hay una solicitud en espera.',
  },

  too_large: {
    en: ({ megabytes }) => `must be at most ${megabytes} MB`,
    es: ({ megabytes }) => `debe pesar ${megabytes} MB como máximo`,
  },
  not_a_document: { en: 'must be a PDF, JPEG or PNG', es: 'debe ser un PDF, JPEG o PNG que podamos leer' },
  not_a_photo: {
    en: 'must be a JPEG, PNG or WebP photo that we can read',
    es: 'debe ser una foto JPEG, PNG o WebP que podamos leer',
  },
  heic: {
    en: 'must not be HEIC: share the photo as JPEG, or on the iPhone choose Settings → Camera → Formats → Most Compatible',
    es: 'no puede ser HEIC: comparte la foto como JPEG, o elige en el iPhone Configuración → Cámara → Formatos → Más compatible',
  },
  quota_files: {
    en: ({ max }) => `An account can keep ${max} files: remove some first.`,
    es: ({ max }) => `Tu cuenta puede guardar ${max} archivos: quita algunos primero.`,
  },
  quota_megabytes: {
    en: ({ max }) => `An account can keep ${max} MB of files: remove some first.`,
    es: ({ max }) => `Tu cuenta puede guardar ${max} MB de archivos: quita algunos primero.`,
  },
  quota_unverified: {
    en: 'Accounts without a verified license cannot upload files at the moment.',
    es: 'Por ahora no podemos recibir archivos de cuentas sin licencia verificada.',
  },

  unknown_scopes: {
    en: ({ allowed }) => `must be one of: ${allowed.join(' | ')}`,
    es: ({ allowed }) => `debe ser uno de: ${allowed.join(' | ')}`,
  },
  not_a_key_prefix: {
    en: 'must be the eight letters and digits after svc_, or the whole key',
    es: 'deben ser las ocho letras y números después de svc_, o la llave completa',
  },
  too_many_keys: {
    en: ({ max }) => `An agent can have ${max} keys: revoke one first.`,
    es: ({ max }) => `Puedes tener ${max} llaves: revoca una primero.`,
  },
  url_characters: {
    en: 'must contain only plain characters, percent-encoded where needed',
    es: 'solo puede tener caracteres simples',
  },
  url_not_https: { en: 'must start with https://', es: 'debe empezar con https://' },
  url_malformed: { en: 'must be a well-formed address', es: 'debe ser una dirección bien formada' },
  url_credentials: {
    en: 'must not contain a username or password',
    es: 'no puede llevar usuario ni contraseña',
  },
  url_fragment: { en: 'must not have a fragment (#)', es: 'no puede llevar fragmento (#)' },
  url_port: {
    en: 'must use port 443, or 1024 and above',
    es: 'debe usar el puerto 443, o uno desde el 1024',
  },
  url_ours: {
    en: 'must not be an address of this service',
    es: 'no puede ser una dirección de este servicio',
  },
  url_unreachable: {
    en: 'must be the address of a public server that can be reached',
    es: 'debe ser la dirección de un servidor público al que podamos llegar',
  },
  unknown_events: {
    en: ({ allowed }) => `must be one or more of: ${allowed.join(', ')}`,
    es: ({ allowed }) => `deben ser algunos de: ${allowed.join(', ')}`,
  },
  webhook_exists: {
    en: 'There is already a webhook with this URL.',
    es: 'Ya tienes un webhook con esa dirección.',
  },
  too_many_webhooks: {
    en: ({ max }) => `An agent can have ${max} webhooks: remove one first.`,
    es: ({ max }) => `Puedes tener ${max} webhooks: quita uno primero.`,
  },
  webhook_paused: {
    en: 'The webhook is paused: resume it first.',
    es: 'El webhook está en pausa: reanúdalo primero.',
  },
  secrets_overlap: {
    en: 'The previous secret is still valid: deactivate it first, or replace the current one immediately.',
    es: 'El secreto anterior todavía es válido: desactívalo primero, o reemplaza el actual al instante.',
  },
  not_a_period: {
    en: 'must be two dates, the earlier one first',
    es: 'deben ser dos fechas, primero la más antigua',
  },
  not_a_domain: {
    en: ({ value }) => `must name one domain per line, such as www.example.com: ${value}`,
    es: ({ value }) => `lleva un dominio por línea, como www.ejemplo.com: revisa «${value}»`,
  },
  too_many_domains: {
    en: ({ max }) => `must name at most ${max} domains`,
    es: ({ max }) => `admite ${max} dominios como máximo`,
  },
  too_many_widgets: {
    en: ({ max }) => `An agent can have ${max} widgets: remove one first.`,
    es: ({ max }) => `Puedes tener ${max} widgets: quita uno primero.`,
  },
  too_many_feeds: {
    en: ({ max }) => `An agent can have ${max} feeds: revoke one first.`,
    es: ({ max }) => `Puedes tener ${max} feeds: revoca uno primero.`,
  },
  no_agency: { en: 'you do not belong to an agency', es: 'no perteneces a una inmobiliaria' },
  unknown_collection: { en: 'is not one of your collections', es: 'no es una de tus colecciones' },

  taken: { en: 'another of your listings has it already', es: 'ya lo tiene otra de tus propiedades' },
  changed_meanwhile: {
    en: 'The listing changed since you opened this page, perhaps by API. Open “Edit” again and repeat your change.',
    es: 'La propiedad cambió desde que abriste esta página, quizá por la API. Abre «Editar» de nuevo y repite tu cambio.',
  },
  nothing_to_change: {
    en: 'Say what to change: the price, the status, the amenities or a text.',
    es: 'Indica qué cambiar: el precio, el estatus, las amenidades o un texto.',
  },
  no_price_to_change: { en: 'the listing does not have this price', es: 'la propiedad no tiene este precio' },
  phrase_not_found: { en: 'does not contain the phrase', es: 'no contiene la frase' },
  link_without_point: {
    en: 'That text has no coordinates. A short link can only be read online: open it and paste the full link or the coordinates, like “20.6911, -103.3782”.',
    es: 'Ese texto no trae coordenadas. Un enlace corto solo se puede leer en internet: ábrelo y pega el enlace largo o las coordenadas, como «20.6911, -103.3782».',
  },
  unknown_place: {
    en: 'We do not know where that neighborhood or postal code is: place the point on the map, or paste its coordinates.',
    es: 'No sabemos dónde está esa colonia o ese código postal: pon el punto en el mapa o pega sus coordenadas.',
  },
  listing_suspended: {
    en: 'The operator suspended this listing.',
    es: 'El operador suspendió esta propiedad.',
  },
  listing_unavailable: {
    en: 'This listing can no longer be changed.',
    es: 'Esta propiedad ya no se puede cambiar.',
  },
  too_many_collections: {
    en: ({ max }) => `An agent can have ${max} collections: remove one first.`,
    es: ({ max }) => `Puedes tener ${max} colecciones: quita una primero.`,
  },
  too_many_needs: {
    en: ({ max }) => `An agent can have ${max} active needs: close one first.`,
    es: ({ max }) => `Puedes tener ${max} búsquedas activas: cierra una primero.`,
  },
  too_many_tasks: {
    en: ({ max }) => `An agent can have ${max} open tasks: finish some first.`,
    es: ({ max }) => `Puedes tener ${max} tareas pendientes: termina algunas primero.`,
  },
  too_many_alerts: {
    en: ({ max }) => `An address can have ${max} alerts: cancel one first, with the link in its emails.`,
    es: ({ max }) =>
      `Un correo puede tener ${max} avisos: cancela uno primero, con el enlace de sus correos.`,
  },
  collection_full: {
    en: ({ max }) => `A collection can have ${max} listings: remove one first.`,
    es: ({ max }) => `Caben ${max} propiedades: quita una primero.`,
  },

  email_or_phone: { en: 'enter your email or a phone number', es: 'escribe tu correo o un teléfono' },
  email_for_showing: {
    en: 'is needed for a showing: we send the link to identify yourself there',
    es: 'hace falta para una visita: ahí te enviamos el enlace para identificarte',
  },
  listing_for_showing: { en: 'choose the one you want to visit', es: 'elige la que quieres visitar' },
  not_agreed: { en: 'please accept it', es: 'falta aceptarlo' },
  not_a_date: { en: 'must be a date', es: 'debe ser una fecha' },
  not_an_hour: { en: 'must be a time', es: 'debe ser una hora' },
  in_the_future: { en: 'must not be in the future', es: 'no puede ser una fecha futura' },
  in_the_past: { en: 'must be in the future', es: 'debe ser una fecha futura' },
  too_far_ahead: {
    en: ({ days }) => `must be within the next ${days} days`,
    es: ({ days }) => `debe estar dentro de los próximos ${days} días`,
  },
  below_lowest_budget: {
    en: 'must not be below the lowest budget',
    es: 'no puede ser menor que el mínimo',
  },
  not_identified: {
    en: 'can be confirmed once you have accepted the visitor’s identification',
    es: 'se puede confirmar cuando aceptes su identificación',
  },
  not_confirmed: { en: 'check the box to confirm', es: 'marca la casilla para confirmarlo' },
  nothing_to_decide: { en: 'There is nothing left to decide.', es: 'Ya no hay nada por decidir.' },
  nobody_to_ask: { en: 'There is no one to ask.', es: 'No hay a quién pedírsela.' },
  identification_waiting: {
    en: 'An identification has arrived: decide on it first.',
    es: 'Ya llegó una identificación: decide primero sobre ella.',
  },
  not_a_colleague: {
    en: 'Choose a verified agent of your agency.',
    es: 'Elige a un agente verificado de tu inmobiliaria.',
  },
  lead_in_cooperation: {
    en: 'The lead is the client of an open cooperation: finish it first.',
    es: 'El prospecto es cliente de una cooperación abierta: termínala primero.',
  },
  already_member: { en: 'is already part of the team', es: 'ya forma parte del equipo' },
  too_many_invitations: {
    en: ({ max }) => `An agency can have ${max} open invitations: withdraw one first.`,
    es: ({ max }) => `Puede haber ${max} invitaciones abiertas: retira una primero.`,
  },
  assistant_with_license: {
    en: 'A verified agent or an operator cannot be an assistant.',
    es: 'Un agente verificado o un operador no puede ser asistente.',
  },
}
