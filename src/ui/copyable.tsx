import { useReader } from './context.ts'
import { Icon } from './icons.tsx'

/** A text to copy; the button appears only with scripts. */
export function Copyable(props: {
  text: string
  label: string
  /** For multi-line texts. */
  rows?: number
  /** Places the button below, where space is tight. */
  stacked?: boolean
}) {
  const { t } = useReader()
  const { text, label, rows, stacked = false } = props
  const attributes = {
    readOnly: true,
    'aria-label': label,
    spellcheck: false,
    autocomplete: 'off' as const,
  }
  return (
    <div class={`flex min-w-0 flex-col gap-2 ${stacked ? '' : 'sm:flex-row'}`} data-copy>
      {rows === undefined ? (
        <input type="text" class="input w-full min-w-0 font-mono text-sm" value={text} {...attributes} />
      ) : (
        <textarea class="textarea w-full min-w-0 font-mono text-sm" rows={rows} {...attributes}>
          {text}
        </textarea>
      )}
      <button type="button" class="btn btn-primary" hidden data-done={t('Copiado', 'Copied')}>
        <Icon name="copy" />
        <span aria-live="polite">{t('Copiar', 'Copy')}</span>
      </button>
    </div>
  )
}
