import { API_PREFIX } from '../../http/openapi.ts'
import { useVisit } from '../../portal/context.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Panel } from '../../ui/panels.tsx'

export function NewKey({ value, publicUrl }: { value: string; publicUrl: string }) {
  const { t } = useVisit()
  return (
    <Panel class="max-w-3xl">
      <div class="flex flex-col gap-5">
        <p>
          <strong>
            {t('Guárdala ahora: no la volveremos a mostrar.', 'Save it now: it will not be shown again.')}
          </strong>{' '}
          {t('Si se pierde, revócala y crea otra.', 'If it gets lost, revoke it and create another.')}
        </p>
        <Copyable text={value} label={t('Llave', 'Key')} />
        <div class="text-sm text-base-content/80">
          <p class="mb-2">{t('Pruébala desde una terminal:', 'Try it from a terminal:')}</p>
          <pre class="rounded-field bg-base-200 p-4 break-all whitespace-pre-wrap">
            <code>{`curl -H 'Authorization: Bearer ${value}' ${publicUrl}${API_PREFIX}/me`}</code>
          </pre>
        </div>
        <a class="btn self-start" href="/portal/keys">
          {t('Ya la guardé', 'I saved it')}
        </a>
      </div>
    </Panel>
  )
}
