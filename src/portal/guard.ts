import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Upload } from '../files/upload.ts'
import { type Hold, uploadMemory } from '../files/upload-memory.ts'
import { whenOver } from '../http/connections.ts'
import { allowUpload } from '../http/deadline.ts'
import { fieldText, isStorableForm, queryOf } from '../http/forms.ts'
import { headerOf } from '../http/headers.ts'
import { Problem } from '../lib/problem.ts'
import { TOKEN_FIELD } from '../ui/context.ts'
import { Refusal } from './refusal.ts'
import { isFormToken, readVisit, type Visit, type VisitDeps } from './visit.ts'

/** Who may open a page. The default is signed-in agents. */
export type Access =
  | 'anyone'
  /** Signed in. */
  | 'agent'
  /** Signed in with a verified license. */
  | 'verified'
  /** Everyone else gets not_found. */
  | 'operator'

export interface UploadLimits {
  files: number
  fileBytes: number
}

/** For screen routes; form routes declare their access themselves. */
export const OPEN = { config: { access: 'anyone' as const } }
export const VERIFIED = { config: { access: 'verified' as const } }
export const OPERATOR = { config: { access: 'operator' as const } }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The form may upload files. */
    upload?: UploadLimits
  }
  interface FastifyRequest {
    visit: Visit
    /** Submitted form fields. */
    form: URLSearchParams
    uploads: Upload[]
  }
}

const TOKEN_HEADER = 'x-form-token'
/** Limit for anonymous visitors: twice the longest sign-up. */
const OPEN_FORM_BYTES = 16 * 1024
const FORM_BYTES = 64 * 1024
/** For a route's `bodyLimit`: two descriptions of 20,000 characters, up to twelve encoded bytes each. */
export const LONG_FORM_BYTES = 640 * 1024
/** For upload forms, whose other fields are few and short. */
const MAX_FIELD_BYTES = 10_000
const MAX_FIELDS = 50

/** Every portal page and form passes here: authentication, access and form origin. */
export async function registerGuard(
  app: FastifyInstance,
  deps: VisitDeps & { publicUrl: string },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', route => {
    route.bodyLimit ??= route.config?.access === 'anyone' ? OPEN_FORM_BYTES : FORM_BYTES
  })
  await app.register(formbody, { parser: text => new URLSearchParams(text) as never })
  await app.register(multipart, {
    limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS, parts: MAX_FIELDS + 20 },
  })
  app.decorateRequest('visit')
  app.decorateRequest('form')
  app.decorateRequest('uploads')

  app.addHook('onRequest', async (request, reply) => {
    request.visit = await readVisit(deps, request, reply)
    request.form = new URLSearchParams()
    request.uploads = []
    // Nothing of an agent's pages stays in a browser or a proxy. Same-origin, because with `no-referrer`
    // browsers hide the origin of a form, which is what the guard asks for.
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    if (request.is404) return
    const { access = 'agent' } = request.routeOptions.config
    const { agent, t } = request.visit
    if (access === 'operator' && !agent?.isOperator) throw new Problem('not_found')
    if (access !== 'anyone' && !agent) return reply.redirect(signInPath(request), 303)
    if (isChange(request)) requireOwnOrigin(request, deps.publicUrl)
    if (access === 'verified' && !agent?.isVerified) {
      throw new Refusal(
        'forbidden',
        t('Disponible cuando verifiquemos tu licencia.', 'Available once your license is verified.'),
      )
    }
  })

  const memory = uploadMemory()
  app.addHook('preValidation', async (request, reply) => {
    requireStorable(queryOf(request), request.visit)
    if (!isChange(request)) return
    if (request.isMultipart()) {
      const held = memory.hold(request.visit.agent?.id ?? request.ip)
      whenOver(reply, held.release)
      await readParts(request, held)
    } else if (request.body instanceof URLSearchParams) request.form = request.body
    requireToken(request.visit, request.form.get(TOKEN_FIELD) ?? headerOf(request, TOKEN_HEADER))
    request.form.delete(TOKEN_FIELD)
    requireStorable(request.form, request.visit)
  })
}

const isChange = (request: FastifyRequest) => request.method !== 'GET' && request.method !== 'HEAD'

/** Return to the same page after sign-in, unless it was a form submission. */
const signInPath = ({ method, url }: FastifyRequest) =>
  method === 'GET' && url !== '/portal'
    ? `/portal/sign-in?next=${encodeURIComponent(url)}`
    : '/portal/sign-in'

/** Browsers state a form's origin and pages cannot forge it. A request without one is not from a current browser. */
function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  const site = headerOf(request, 'sec-fetch-site')
  const origin = headerOf(request, 'origin')
  const isOwn = (text: string) =>
    text === publicUrl || (URL.canParse(text) && new URL(text).host === request.headers.host)
  const isRefused = site ? site !== 'same-origin' : origin === undefined
  if (isRefused || (origin !== undefined && !isOwn(origin))) throw strangeForm(request.visit)
}

function requireToken(visit: Visit, sent: string | undefined | null): void {
  if (!isFormToken(visit, sent)) throw strangeForm(visit)
}

function requireStorable(form: URLSearchParams, { t }: Visit): void {
  if (isStorableForm(form)) return
  throw new Refusal(
    'bad_request',
    t(
      'Lo que enviaste contiene caracteres que no se pueden guardar.',
      'What you sent contains characters that cannot be stored.',
    ),
  )
}

const strangeForm = ({ t }: Visit) =>
  new Refusal(
    'forbidden',
    t(
      'Este formulario venció o no se envió desde esta página. Vuelve atrás, recarga la página e inténtalo de nuevo.',
      'This form has expired or was not sent from this page. Go back, reload the page and try again.',
    ),
  )

/** Our forms send the token first: without it no file is read. */
async function readParts(request: FastifyRequest, held: Hold): Promise<void> {
  const { upload } = request.routeOptions.config
  if (!upload) throw new Problem('unsupported_media_type')
  allowUpload(request)
  const limits = { files: upload.files, fileSize: upload.fileBytes }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      request.form.append(part.fieldname, fieldText(part))
      continue
    }
    requireToken(request.visit, request.form.get(TOKEN_FIELD) ?? headerOf(request, TOKEN_HEADER))
    const chunks: Buffer[] = []
    for await (const chunk of part.file) {
      held.add(chunk.length)
      chunks.push(chunk)
    }
    if (part.file.truncated) throw tooLarge(request.visit, upload.fileBytes)
    const bytes = Buffer.concat(chunks)
    // An empty file field arrives as a file without name or content.
    if (bytes.length > 0) request.uploads.push({ fileName: part.filename, bytes })
  }
}

const tooLarge = ({ t }: Visit, bytes: number) => {
  const most = Math.floor(bytes / 1024 / 1024)
  return new Refusal(
    'payload_too_large',
    t(`El archivo pesa más de ${most} MB.`, `The file is larger than ${most} MB.`),
  )
}
