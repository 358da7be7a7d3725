import { type Lang, wordsIn } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { ActionButton, DangerButton, Submit } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Choices, Form, LanguageField, type Shown, TextArea, TextField } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { kindWords, SHOWN_LISTINGS } from '../rules.ts'
import type { Widget, WidgetInList } from '../service.ts'

const HOME = '/portal/widgets'

function State({ widget }: { widget: Widget }) {
  const { t } = useVisit()
  if (widget.revoked_at)
    return <Badge tone="error">{t('Revocado por el operador', 'Revoked by the operator')}</Badge>
  return widget.active ? null : <Badge tone="warning">{t('Apagado', 'Off')}</Badge>
}

function WidgetFields() {
  const { t } = useVisit()
  const kinds = kindWords(t)
  return (
    <>
      <TextField
        name="name"
        label={t('Nombre', 'Name')}
        hint={t('Para reconocerlo tú; no se muestra.', 'For you to tell it apart; it is not shown.')}
        maxlength={80}
        required
      />
      <Choices
        name="kind"
        label={t('Qué muestra', 'What it shows')}
        options={[
          {
            value: 'listings',
            label: kinds.listings,
            hint: t(`Las ${SHOWN_LISTINGS} más recientes`, `The ${SHOWN_LISTINGS} newest`),
          },
          {
            value: 'inquiry',
            label: kinds.inquiry,
            hint: t('Los mensajes llegan a tus prospectos', 'Messages arrive among your leads'),
          },
        ]}
      />
      <TextArea
        name="domains"
        label={t('Dominios donde se puede mostrar', 'Domains that may show it')}
        hint={t(
          'Uno por línea, como www.ejemplo.com. Con y sin www son dos. En cualquier otro sitio no aparece.',
          'One per line, such as www.example.com. With and without www are two. It does not appear on any other site.',
        )}
        rows={3}
        maxlength={4_000}
        required
      />
      <LanguageField label={t('Idioma', 'Language')} />
    </>
  )
}

export function Widgets({ widgets, form }: { widgets: WidgetInList[]; form: Shown | undefined }) {
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {widgets.length === 0 ? (
        <Panel>
          <Empty icon="code" title={t('Aún no tienes widgets', 'No widgets yet')}>
            {agent?.isVerified
              ? t(
                  'Crea el primero, copia una línea de código en tu sitio y listo.',
                  'Create the first, copy a line of code to your site, and that is it.',
                )
              : t(
                  'Podrás crearlos cuando verifiquemos tu licencia.',
                  'You can create them once your licence is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {widgets.map(widget => (
            <li key={widget.id} class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
              <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 class="min-w-0 text-lg font-semibold break-words">
                  <a class="link link-hover" href={`${HOME}/${widget.id}`}>
                    {widget.name}
                  </a>
                </h2>
                <Badge tone="primary">{kindWords(t)[widget.kind]}</Badge>
                <State widget={widget} />
              </div>
              <p class="mt-1 text-sm break-words text-base-content/75">
                {widget.domains.join(', ')}
                {widget.kind === 'inquiry' && (
                  <>
                    {' · '}
                    {widget.leads === 1
                      ? t('1 prospecto', '1 lead')
                      : t(`${widget.leads} prospectos`, `${widget.leads} leads`)}
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      {agent?.isVerified && (
        <Panel title={t('Nuevo widget', 'New widget')} class="self-start">
          <Form action={HOME} {...(form ?? {})}>
            <WidgetFields />
            <Submit class="self-start">{t('Crear widget', 'Create widget')}</Submit>
          </Form>
        </Panel>
      )}
    </div>
  )
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, char => ENTITIES[char] as string)

/** What the agent pastes into a page. Where scripts do not run, a link stands there instead. */
export function snippetOf(
  widget: Pick<Widget, 'id' | 'kind' | 'lang'>,
  page: { name: string; slug: string },
  publicUrl: string,
): string {
  const t = wordsIn(widget.lang)
  const title = escaped(
    widget.kind === 'listings'
      ? t(`Propiedades de ${page.name}`, `Listings of ${page.name}`)
      : t(`Escribe a ${page.name}`, `Write to ${page.name}`),
  )
  const prefix: Record<Lang, string> = { es: '', en: '/en' }
  const href = `${publicUrl}${prefix[widget.lang]}/agentes/${page.slug}`
  return [
    `<script src="${publicUrl}/widget.js" data-widget="${widget.id}" data-title="${title}" async></script>`,
    `<noscript><a href="${href}">${title}</a></noscript>`,
  ].join('\n')
}

export function OneWidget(props: {
  widget: Widget
  page: { name: string; slug: string }
  publicUrl: string
  form: Shown | undefined
}) {
  const { t } = useVisit()
  const { widget, page, publicUrl, form } = props
  const path = `${HOME}/${widget.id}`
  const values = { ...widget, domains: widget.domains.join('\n') }
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Panel
          title={t('Código para tu sitio', 'Code for your site')}
          note={t(
            'Pégalo donde quieras que aparezca, en una página de tus dominios.',
            'Paste it where it should appear, on a page of your domains.',
          )}
          actions={<State widget={widget} />}
        >
          <Copyable
            text={snippetOf(widget, page, publicUrl)}
            label={t('Código del widget', 'Code of the widget')}
            rows={8}
            stacked
          />
          <p class="mt-4 text-sm text-base-content/75">
            {t(
              'Se ve claro; agrega data-theme="dark" para que se vea oscuro, o data-theme="auto" para que siga al visitante.',
              'It is light; add data-theme="dark" to make it dark, or data-theme="auto" to follow the visitor.',
            )}
          </p>
        </Panel>
        <Panel title={t('Cómo se ve', 'How it looks')}>
          <div class="flex flex-wrap gap-2">
            <a class="btn btn-sm" href={`/widget/${widget.id}`} target="_blank" rel="noopener">
              <Icon name="external" class="size-4" />
              {t('Abrir', 'Open')}
            </a>
            {!widget.revoked_at && (
              <ActionButton action={`${path}/${widget.active ? 'pause' : 'resume'}`}>
                {widget.active ? t('Apagar', 'Switch off') : t('Encender', 'Switch on')}
              </ActionButton>
            )}
            <DangerButton
              action={`${path}/remove`}
              label={t('Eliminar', 'Remove')}
              question={t(
                'Desaparece de tu sitio. Los prospectos que llegaron por él se quedan.',
                'It disappears from your site. The leads that came by it stay.',
              )}
              yes={t('Sí, eliminarlo', 'Yes, remove it')}
            />
          </div>
        </Panel>
      </div>
      <Panel title={t('Ajustes', 'Settings')} class="self-start">
        <Form action={`${path}/edit`} values={form?.values ?? values} errors={form?.errors}>
          <WidgetFields />
          <Submit class="self-start">{t('Guardar', 'Save')}</Submit>
        </Form>
      </Panel>
    </div>
  )
}
