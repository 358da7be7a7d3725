import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Lang, Words } from '../../lib/i18n.ts'
import { type Mailing, readUnsubscribeToken } from '../../lib/unsubscribe.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Nothing, sendSitePage } from '../layout.tsx'
import { localPath, useVisit, type Visit, visitOf } from '../visit.ts'

interface ByToken {
  Params: { token: string }
}

/** How a kind of mail ends. */
export interface Ending {
  /** What the recipient no longer gets, as the page says it. */
  what(t: Words): string
  /** May be repeated. */
  end(id: string): Promise<void>
}

export interface UnsubscribeDeps {
  publicUrl: string
  unsubscribeKey(): Promise<Buffer>
  endings: Record<Mailing, Ending>
}

/** Works without signing in. Mail programs prefetch links, so opening it ends nothing; posting does, without a redirect. */
export function registerUnsubscribe(app: FastifyInstance, deps: UnsubscribeDeps, lang: Lang): void {
  const path = localPath(lang, '/baja/:token')
  const visitAt = (token: string) => visitOf(deps, lang, `/baja/${encodeURIComponent(token)}`)
  const read = async (token: string) => readUnsubscribeToken(await deps.unsubscribeKey(), token)

  app.get<ByToken>(path, async ({ params: { token } }, reply) => {
    const visit = visitAt(token)
    const found = await read(token)
    if (!found) return sendUnknown(reply, visit)
    return send(reply, visit, visit.t('¿Dejar de recibir estos correos?', 'Unsubscribe from these emails?'), {
      text: deps.endings[found.mailing].what(visit.t),
    })
  })

  // The body says nothing more than the link, so that none is needed.
  app.post<ByToken>(path, async ({ params: { token } }, reply) => {
    const visit = visitAt(token)
    const found = await read(token)
    if (!found) return sendUnknown(reply, visit)
    const { what, end } = deps.endings[found.mailing]
    await end(found.id)
    return send(reply, visit, visit.t('Listo, ya no te escribimos', 'Done, you are unsubscribed'), {
      text: what(visit.t),
      isDone: true,
    })
  })
}

const headOf = (title: string, status = 200) =>
  ({ title: `${title} | Lonja`, description: title, private: true, status }) as const

const send = (reply: FastifyReply, visit: Visit, title: string, about: { text: string; isDone?: boolean }) =>
  sendSitePage(reply, visit, headOf(title), <Unsubscribe title={title} {...about} />)

function Unsubscribe({ title, text, isDone = false }: { title: string; text: string; isDone?: boolean }) {
  const { t, to, path } = useVisit()
  return (
    <div class="wrap py-16">
      <div class="nothing" role={isDone ? 'status' : undefined}>
        <Icon name={isDone ? 'check' : 'mail'} size={44} />
        <h1>{title}</h1>
        <p class="max-w-prose">{text}</p>
        {!isDone && (
          <Form action={to(path)}>
            <Submit>{t('Dejar de recibirlos', 'Unsubscribe')}</Submit>
          </Form>
        )}
      </div>
    </div>
  )
}

function sendUnknown(reply: FastifyReply, visit: Visit) {
  const title = visit.t('Este enlace no funciona', 'This link does not work')
  return sendSitePage(
    reply,
    visit,
    headOf(title, 404),
    <div class="wrap py-16">
      <Nothing title={title} icon="home" level={1}>
        <p class="max-w-prose">
          {visit.t(
            'Cópialo completo del correo que recibiste.',
            'Copy all of it from the email you received.',
          )}
        </p>
      </Nothing>
    </div>,
  )
}
