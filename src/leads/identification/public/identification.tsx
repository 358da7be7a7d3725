import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isHeic, redraw } from '../../../files/images.ts'
import { allowUpload } from '../../../http/deadline.ts'
import { fieldText } from '../../../http/forms.ts'
import type { RateLimit } from '../../../http/rate-limit.ts'
import { readBody } from '../../../lib/fields.ts'
import type { Lang, Words } from '../../../lib/i18n.ts'
import { type Issue, issue } from '../../../lib/issue.ts'
import { Problem } from '../../../lib/problem.ts'
import { MB } from '../../../lib/sizes.ts'
import { showingText } from '../../../lib/zones.ts'
import { ContactLinks } from '../../../site/cards.tsx'
import { Nothing, sendSitePage } from '../../../site/layout.tsx'
import type { SiteDeps } from '../../../site/market.ts'
import { localPath, useVisit, type Visit, visitOf } from '../../../site/visit.ts'
import { Submit } from '../../../ui/buttons.tsx'
import { FileField, Form, SelectField, TextField } from '../../../ui/forms.tsx'
import { Icon } from '../../../ui/icons.tsx'
import {
  DOCUMENTS,
  documentWords,
  findLink,
  identityFields,
  LINK_DAYS,
  type Link,
  submitIdentification,
} from '../service.ts'

interface ByToken {
  Params: { token: string }
}

const PICTURE_BYTES = 15 * MB
/** Re-encoding an image is the most expensive request open to visitors without an account. */
const TRIES = 20
/** Large enough to read small print. */
const DRAWING = { maxSide: 2000, quality: 82 }

/** The page of an emailed private link. Opening it does not use up the link: mail clients prefetch links. */
export async function registerIdentification(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  // Report an oversized file next to its field, like other issues.
  await app.register(multipart, { throwFileSizeLimit: false })
  const tries = deps.openLimit('identification', TRIES)
  for (const lang of ['es', 'en'] as const) registerPages(app, deps, tries, lang)
}

function registerPages(
  app: FastifyInstance,
  { db, identities: box, publicUrl, now, idRetentionDays: days }: SiteDeps,
  tries: RateLimit,
  lang: Lang,
): void {
  const visitAt = ({ token }: { token: string }) =>
    visitOf({ publicUrl }, lang, `/identificacion/${encodeURIComponent(token)}`)
  const path = localPath(lang, '/identificacion/:token')

  app.get<ByToken>(path, async (request, reply) => {
    const visit = visitAt(request.params)
    const link = await findLink(db, request.params.token, new Date(now()))
    if (link?.state !== 'open' || !box) return sendNoLink(reply, visit, link)
    return sendForm(reply, visit, { link, days })
  })

  app.post<ByToken>(path, async (request, reply) => {
    const { token } = request.params
    const visit = visitAt(request.params)
    const at = new Date(now())
    // Before reading the photo.
    const link = await findLink(db, token, at)
    if (link?.state !== 'open' || !box) {
      reply.header('connection', 'close')
      return sendNoLink(reply, visit, link)
    }
    const { allowed, retryAfter } = await tries.take(link.about.lead_id)
    if (!allowed) throw new Problem('rate_limited', { retryAfter })
    // A photo can take minutes on a slow connection.
    allowUpload(request)
    const { values, bytes, isTooLarge } = await readParts(request)
    const sent = readBody(identityFields, { name: '', document: '', number: '', ...values })
    const picture =
      bytes && sent.issues.length === 0 ? await redraw(bytes, DRAWING, link.about.lead_id) : bytes
    const errors = [...sent.issues]
    if (isTooLarge) errors.push(issue('picture', 'too_large', { megabytes: PICTURE_BYTES / MB }))
    else if (!picture && bytes && isHeic(bytes)) {
      errors.push(issue('picture', 'heic'))
    } else if (!picture) errors.push(issue('picture', 'not_a_photo'))
    if (errors.length > 0) {
      return sendForm(reply, visit, { link, days, values, errors })
    }
    try {
      await submitIdentification({ db, box, now: at }, token, sent, picture)
    } catch (error) {
      // Used in another window in the meantime.
      if (error instanceof Problem && error.kind === 'not_found') {
        return sendNoLink(reply, visit, await findLink(db, token, at))
      }
      throw error
    }
    return sendThanks(reply, visit, link)
  })
}

type Values = Record<string, string>

async function readParts(request: FastifyRequest) {
  const values: Values = {}
  let bytes: Buffer | undefined
  let isTooLarge = false
  if (!request.isMultipart()) return { values, bytes, isTooLarge }
  const limits = { files: 1, fileSize: PICTURE_BYTES, fields: 10, fieldSize: 2_000, parts: 12 }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (Object.hasOwn(identityFields, part.fieldname)) values[part.fieldname] = fieldText(part)
      continue
    }
    const whole = await part.toBuffer()
    if (part.file.truncated) isTooLarge = true
    else if (whole.length > 0) bytes = whole
  }
  return { values, bytes, isTooLarge }
}

const privateHead = (title: string, status = 200) =>
  ({ title: `${title} | Lonja`, description: title, private: true, status }) as const

function noLinkWords(link: Link | undefined, t: Words): [title: string, text: string] {
  if (link?.state === 'cancelled') {
    return [
      t('Esta visita se canceló', 'This showing was canceled'),
      t(
        'Ya no necesitas identificarte. Si todavía quieres visitar la propiedad, contacta al agente.',
        'You no longer need to identify yourself. If you still want to visit the property, contact the agent.',
      ),
    ]
  }
  // A rejected identification is erased: a new link is needed.
  if (link?.state === 'used' && link.about.status !== 'refused') {
    return [
      t('Ya recibimos tu identificación', 'We already received your identification'),
      t(
        'El enlace solo se puede usar una vez. El agente revisará tu identificación y te escribirá.',
        'The link works only once. The agent will review your identification and contact you.',
      ),
    ]
  }
  return [
    t('Este enlace ya no funciona', 'This link no longer works'),
    t(
      `Los enlaces sirven una vez, durante ${LINK_DAYS} días, y uno nuevo reemplaza al anterior. Pídele otro al agente.`,
      `Links work once, for ${LINK_DAYS} days, and a new one replaces the previous one. Ask the agent for another.`,
    ),
  ]
}

function sendNoLink(reply: FastifyReply, visit: Visit, link: Link | undefined) {
  const { t } = visit
  const [title, text] = noLinkWords(link, t)
  return sendSitePage(
    reply,
    visit,
    privateHead(title, link ? 410 : 404),
    <div class="wrap py-16">
      <Nothing title={title} icon="home" level={1}>
        <p class="max-w-prose">{text}</p>
        {link && <Agent link={link} />}
      </Nothing>
    </div>,
  )
}

function Agent({ link: { about } }: { link: Link }) {
  return (
    <div class="grid justify-items-center gap-2">
      <p class="font-semibold">{about.agent_name}</p>
      {about.agent_phone && <ContactLinks phone={about.agent_phone} />}
    </div>
  )
}

function sendThanks(reply: FastifyReply, visit: Visit, { about }: Link) {
  const title = visit.t('Recibimos tu identificación', 'We received your identification')
  return sendSitePage(
    reply,
    visit,
    privateHead(title),
    <div class="wrap py-16">
      <div class="nothing" role="status">
        <Icon name="check" size={44} />
        <h1>{title}</h1>
        <p class="max-w-prose">
          {visit.t(
            `${about.agent_name} la revisará y confirmará la visita contigo. No tienes que hacer nada más.`,
            `${about.agent_name} will review it and confirm the showing with you. You do not need to do anything else.`,
          )}
        </p>
        <a class="btn btn-primary" href={localPath(visit.lang, '/')}>
          {visit.t('Ir al inicio', 'Go to home page')}
        </a>
      </div>
    </div>,
  )
}

interface FormState {
  link: Link
  days: number
  values?: Values
  errors?: Issue[]
}

function sendForm(reply: FastifyReply, visit: Visit, state: FormState) {
  const title = visit.t('Identifícate para tu visita', 'Identify yourself for your showing')
  return sendSitePage(
    reply,
    visit,
    privateHead(title, state.errors ? 422 : 200),
    <IdentityForm title={title} {...state} />,
  )
}

function IdentityForm({
  title,
  link,
  days,
  values = {},
  errors: issues = [],
}: FormState & { title: string }) {
  const { lang, t, to, path } = useVisit()
  const { about } = link
  return (
    <div class="wrap max-w-2xl py-10">
      <h1 class="page-title">{title}</h1>
      <p class="mt-4">
        {about.listing_title
          ? t(`Vas a visitar «${about.listing_title}» con `, `You will visit “${about.listing_title}” with `)
          : t('Pediste una visita con ', 'You requested a showing with ')}
        <strong>{about.agent_name}</strong>.
      </p>
      {about.tour_at && (
        <p class="mt-2 font-medium">
          <Icon name="calendar" size={18} /> {showingText(about.tour_at, lang, about.whereabouts)}
        </p>
      )}
      <p class="mt-2 text-sm opacity-80">
        {t(
          `Se guarda cifrado, solo lo ven el agente y el operador, y se borra ${days} días después de la visita. `,
          `It is stored encrypted, only the agent and the operator can see it, and it is erased ${days} days after the showing. `,
        )}
        <a class="link" href={to('/privacidad')}>
          {t('Aviso de privacidad', 'Privacy notice')}
        </a>
      </p>
      <Form
        action={localPath(lang, path)}
        values={values}
        errors={issues}
        summary={issues.length > 0 && <Summary />}
        novalidate
        upload
        class="inquiry mt-6 flex flex-col gap-5"
      >
        <TextField
          name="name"
          label={t('Tu nombre, como está en el documento', 'Your name, as on the document')}
          maxlength={200}
          autocomplete="name"
          required
        />
        <div class="grid gap-5 sm:grid-cols-2">
          <SelectField
            name="document"
            label={t('Documento', 'Document')}
            options={DOCUMENTS.map(kind => ({ value: kind, label: documentWords(t)[kind] }))}
            required
          />
          <TextField
            name="number"
            label={t('Número del documento', 'Document number')}
            maxlength={60}
            autocomplete="off"
            required
          />
        </div>
        <FileField
          name="picture"
          label={t('Foto del documento', 'Photo of the document')}
          accept="image/jpeg,image/png,image/webp"
          hint={t(
            `JPEG, PNG o WebP, hasta ${PICTURE_BYTES / MB} MB.`,
            `JPEG, PNG or WebP, up to ${PICTURE_BYTES / MB} MB.`,
          )}
          required
        />
        <Submit>{t('Enviar identificación', 'Submit identification')}</Submit>
      </Form>
    </div>
  )
}

function Summary() {
  const { t } = useVisit()
  return (
    <div role="alert" class="rounded-field border border-error/60 bg-error/10 p-4 text-sm">
      <p class="font-semibold">{t('No pudimos enviarlo.', 'We could not send it.')}</p>
      <p>
        {t(
          'Corrige lo que está marcado y elige la foto otra vez.',
          'Fix the highlighted fields and choose the photo again.',
        )}
      </p>
    </div>
  )
}
