import type { Lang } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'

/** Services answer in English with the field's name first; a form shows each message beside its field. */
export type FieldErrors = Record<string, string[]>

/** `undefined` matches the whole sentence: the first is the field's name, the rest what is wrong with it. */
const SENTENCE = /^([a-z_-]+)(?:\[(\d+)\])? (.+)$/

export function fieldErrors(errors: readonly string[], lang: Lang): FieldErrors {
  const byField: FieldErrors = {}
  for (const error of errors) {
    const [, name = '', index, what = error] = SENTENCE.exec(error) ?? []
    const prefix = index === undefined ? '' : `${Number(index) + 1}: `
    const text = `${prefix}${inWords(what, lang)}`
    byField[name] = [...(byField[name] ?? []), text]
  }
  return byField
}

const PATTERNS: readonly [RegExp, string][] = [
  [/^must not be empty$|^is required$/, 'es obligatorio'],
  [/^must be at least (\d+) characters$/, 'debe tener al menos $1 caracteres'],
  [/^must be at most (\d+) characters$/, 'debe tener $1 caracteres como máximo'],
  [/^must be between (-?[\d.]+) and (-?[\d.]+)$/, 'debe estar entre $1 y $2'],
  [/^must be greater than (-?[\d.]+) and at most (-?[\d.]+)$/, 'debe ser mayor que $1 y $2 como máximo'],
  [/^must be a whole number$/, 'debe ser un número entero'],
  [/^must be a number$/, 'debe ser un número'],
  [/^must have at most (\d+) decimals$/, 'puede tener $1 decimales como máximo'],
  [/^must have at most (\d+) items, (\d+) were sent$/, 'admite $1 elementos y enviaste $2'],
  [/^must be one of: (.+)$/, 'debe ser uno de: $1'],
  [/^must look like name@example\.com$/, 'debe tener la forma nombre@ejemplo.com'],
  [/^must be a Mexican or international number$/, 'debe ser un teléfono de México o con clave de país'],
  [/^must be a Mexican state$/, 'debe ser un estado de México'],
  [/^must be a public http or https address$/, 'debe ser una dirección pública http o https'],
  [/^must be a PDF, JPEG or PNG$/, 'debe ser un PDF, JPEG o PNG que podamos leer'],
  [
    /^must not be HEIC: share the photo as JPEG$/,
    'no puede ser HEIC: comparte la foto como JPEG, o elige en el iPhone Configuración → Cámara → Formatos → Más compatible',
  ],
  [/^is not right$/, 'no es correcta'],
  [/^must not be one that many people use$/, 'es de las que usa mucha gente: elige otra'],
  [/^was asked for too often, wait ten minutes$/, 'se pidió demasiadas veces: espera diez minutos'],
  [/^An agent can have (\d+) keys: revoke one first\.$/, 'Puedes tener $1 llaves: revoca una primero.'],
  [/^There is already an agency of that name\.$/, 'Ya hay una inmobiliaria con ese nombre.'],
  [/^must start with https:\/\/$/, 'debe empezar con https://'],
  [/^must be a well-formed address$/, 'debe ser una dirección bien formada'],
  [/^must hold only plain characters, percent-encoded where needed$/, 'solo puede tener caracteres simples'],
  [/^must not hold a user name or password$/, 'no puede llevar usuario ni contraseña'],
  [/^must not have a fragment \(#\)$/, 'no puede llevar fragmento (#)'],
  [/^must use port 443, or 1024 and above$/, 'debe usar el puerto 443, o uno desde el 1024'],
  [/^must not be an address of this service$/, 'no puede ser una dirección de este servicio'],
  [
    /^must be the address of a public server that can be reached$/,
    'debe ser la dirección de un servidor público al que podamos llegar',
  ],
  [/^must be some of: (.+)$/, 'elige al menos uno'],
  [/^There is already a webhook with this url\.$/, 'Ya tienes un webhook con esa dirección.'],
  [/^An agent can have (\d+) webhooks: remove one first\.$/, 'Puedes tener $1 webhooks: quita uno primero.'],
  [
    /^An agent can have (\d+) collections: remove one first\.$/,
    'Puedes tener $1 colecciones: quita una primero.',
  ],
  [/^A collection can have (\d+) listings: remove one first\.$/, 'Caben $1 propiedades: quita una primero.'],
  [/^An agent can have (\d+) widgets: remove one first\.$/, 'Puedes tener $1 widgets: quita uno primero.'],
  [
    /^must name one domain per line, such as www\.example\.com: (.*)$/,
    'lleva un dominio por línea, como www.ejemplo.com: revisa «$1»',
  ],
  [/^must name at most (\d+) domains$/, 'admite $1 dominios como máximo'],
  [/^A request is already waiting for the operator\.$/, 'Ya hay una solicitud en espera.'],
  [
    /^must be given for a showing$/,
    'hace falta para una visita: ahí te enviamos el enlace para identificarte',
  ],
  [/^must be given, or a phone$/, 'escribe tu correo o un teléfono'],
  [/^must be given$/, 'falta aceptarlo'],
  [/^must be chosen for a showing$/, 'elige la que quieres visitar'],
  [/^must be a date$/, 'debe ser una fecha'],
  [/^must be a time$/, 'debe ser una hora'],
  [/^must be in the future$/, 'debe ser una fecha futura'],
  [/^must be within the next (\d+) days$/, 'debe estar dentro de los próximos $1 días'],
  [/^must be at most (\d+) MB$/, 'debe pesar $1 MB como máximo'],
  [/^must be a photo of the document$/, 'debe ser una foto JPEG, PNG o WebP que podamos leer'],
  [/^There is nothing to decide any more\.$/, 'Ya no hay nada por decidir.'],
  [
    /^An identification has come: decide about it first\.$/,
    'Ya llegó una identificación: decide primero sobre ella.',
  ],
  [/^There is nobody to ask\.$/, 'No hay a quién pedírsela.'],
  [/^contains characters that cannot be stored$/, 'tiene caracteres que no se pueden guardar'],
  [/^cannot be null$/, 'no puede quedar vacío'],
  [/^must be text$/, 'debe ser texto'],
  [/^must be true or false$/, 'debe ser sí o no'],
  [/^must be a list$/, 'debe ser una lista'],
]

/** Spanish for the messages of the shared rules. One that is not known stays as it is: better English than nothing. */
function inWords(what: string, lang: Lang): string {
  if (lang === 'en') return what
  for (const [pattern, spanish] of PATTERNS) if (pattern.test(what)) return what.replace(pattern, spanish)
  return what
}

export type Attempt<T> = { value: T; errors?: undefined } | { value?: undefined; errors: string[] }

/** What a form can mend comes back as a list; everything else goes on to the error page. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Problem && (error.kind === 'validation' || error.kind === 'conflict')) {
      return { errors: error.details.errors ?? [error.message] }
    }
    throw error
  }
}
