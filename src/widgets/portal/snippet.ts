import { type Lang, wordsIn } from '../../lib/i18n.ts'
import type { Widget } from '../service.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, char => ENTITIES[char] as string)

/** The code agents paste into a page. Without scripts it is a link. */
export function snippetOf(
  widget: Pick<Widget, 'id' | 'kind' | 'lang'>,
  page: { name: string; slug: string },
  publicUrl: string,
): string {
  const t = wordsIn(widget.lang)
  const title = escaped(
    widget.kind === 'listings'
      ? t(`Propiedades de ${page.name}`, `Listings by ${page.name}`)
      : t(`Escribe a ${page.name}`, `Contact ${page.name}`),
  )
  const prefix: Record<Lang, string> = { es: '', en: '/en' }
  const href = `${publicUrl}${prefix[widget.lang]}/agentes/${page.slug}`
  return [
    `<script src="${publicUrl}/widget.js" data-widget="${widget.id}" data-title="${title}" async></script>`,
    `<noscript><a href="${href}">${title}</a></noscript>`,
  ].join('\n')
}
