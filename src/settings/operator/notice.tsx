import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onRecord } from '../../portal/audit.ts'
import { useVisit } from '../../portal/context.ts'
import { sendDesk } from '../../portal/desk.tsx'
import { formRoute } from '../../portal/form-route.ts'
import { LONG_FORM_BYTES, OPERATOR } from '../../portal/guard.ts'
import { goTo, signedIn } from '../../portal/layout.tsx'
import { ActionButton, Submit } from '../../ui/buttons.tsx'
import { Form, type Shown, TextArea } from '../../ui/forms.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Prose } from '../../ui/prose.tsx'
import { defaultNotice } from '../notice.ts'
import { NOTICE_MAX, type Notice, readNotice } from '../rules.ts'
import { changeNotice, findSettings, listChanges } from '../service.ts'
import { Changes } from './changes.tsx'
import type { SettingsDeps } from './limits.tsx'

const HERE = '/portal/operator/notice'
const SHOWN = 10

interface NoticeDeps extends SettingsDeps {
  publicUrl: string
  privacyContact: string | undefined
}

export function registerNoticeDesk(app: FastifyInstance, deps: NoticeDeps): void {
  const { db, settings } = deps
  const original = defaultNotice({ host: new URL(deps.publicUrl).host, contact: deps.privacyContact })

  app.get('/operator/notice', OPERATOR, async (request, reply) => send(request, reply))

  formRoute(app, {
    path: '/operator/notice',
    access: 'operator',
    bodyLimit: LONG_FORM_BYTES,
    run: request => change(request, readNotice(request.form)),
    redraw: send,
    done: ({ visit: { t } }, reply, isChanged) =>
      goTo(
        reply,
        HERE,
        isChanged
          ? t('Publicamos la edición nueva.', 'The new edition is published.')
          : { kind: 'info', text: t('No cambió nada.', 'Nothing changed.') },
      ),
  })

  formRoute(app, {
    path: '/operator/notice/reset',
    access: 'operator',
    run: request => change(request, null),
    done: ({ visit: { t } }, reply) =>
      goTo(reply, HERE, t('El sitio muestra el aviso predeterminado.', 'The site shows the default notice.')),
  })

  /** Text that equals the default one is the default one: it keeps its edition and follows later versions. */
  async function change(request: FastifyRequest, sent: Notice | null): Promise<boolean> {
    const operator = signedIn(request)
    const notice = sent && sent.es === original.es && sent.en === original.en ? null : sent
    const isChanged = await onRecord(
      db,
      operator,
      tx => changeNotice(tx, operator.id, notice),
      done =>
        done
          ? { action: 'notice.change', subject: '/privacidad', note: notice ? undefined : 'default' }
          : undefined,
    )
    await settings.refresh()
    return isChanged
  }

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t, lang } = request.visit
    const [{ notice }, changes] = await Promise.all([
      findSettings(db),
      listChanges(db, ['privacy_notice'], SHOWN),
    ])
    return sendDesk(
      request,
      reply,
      { tab: 'notice' },
      <div class="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <NoticeForm current={notice?.text ?? original} isDefault={!notice} {...shown} />
        <Changes
          changes={changes.map(change => ({
            ...change,
            title: change.value
              ? t('Edición nueva', 'New edition')
              : t('De vuelta al texto predeterminado', 'Back to the default text'),
            text: change.value ? <Edition text={(change.value as Notice)[lang]} /> : null,
          }))}
        />
      </div>,
    )
  }
}

function Edition({ text }: { text: string }) {
  const { t } = useVisit()
  return (
    <details>
      <summary class="cursor-pointer py-1 text-primary">{t('Ver el texto', 'Show the text')}</summary>
      <div class="flex flex-col gap-2 [&_h2]:font-semibold [&_ul]:list-disc [&_ul]:pl-5">
        <Prose text={text} />
      </div>
    </details>
  )
}

function NoticeForm({ current, isDefault, ...shown }: Shown & { current: Notice; isDefault: boolean }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Aviso de privacidad', 'Privacy notice')}
      note={
        isDefault
          ? t('El sitio muestra el texto predeterminado.', 'The site shows the default text.')
          : t('El sitio muestra tu texto, con su fecha.', 'The site shows your text, with its date.')
      }
      actions={
        <a class="btn btn-sm" href="/privacidad">
          {t('Ver en el sitio', 'View on the site')}
        </a>
      }
    >
      <Form
        action={HERE}
        {...shown}
        values={shown.values ?? { notice_es: current.es, notice_en: current.en }}
      >
        <p class="text-sm text-base-content/75">
          {t(
            'Párrafos separados por una línea vacía, «## » antes de un título y «- » antes de cada punto de una lista. Escribe {id_days}, {id_days_max} y {alert_hours} donde van los plazos: el sitio pone los que aplica. Con cada mensaje queda anotada la edición que la persona aceptó.',
            'Paragraphs between empty lines, “## ” before a heading and “- ” before each item of a list. Write {id_days}, {id_days_max} and {alert_hours} where the periods belong: the site fills in those that apply. Each message records the edition that the person agreed to.',
          )}
        </p>
        <TextArea
          name="notice_es"
          label={t('En español', 'In Spanish')}
          rows={16}
          maxlength={NOTICE_MAX}
          required
        />
        <TextArea
          name="notice_en"
          label={t('En inglés', 'In English')}
          rows={16}
          maxlength={NOTICE_MAX}
          required
        />
        <Submit class="self-start">{t('Publicar', 'Publish')}</Submit>
      </Form>
      {!isDefault && (
        <div class="mt-6 border-t border-base-300 pt-4">
          <ActionButton action={`${HERE}/reset`}>
            {t('Volver al texto predeterminado', 'Restore the default text')}
          </ActionButton>
        </div>
      )}
    </Panel>
  )
}
