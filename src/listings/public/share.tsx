import { whatsAppHref } from '../../lib/phone.ts'
import { useVisit } from '../../site/visit.ts'
import { Icon } from '../../ui/icons.tsx'

/** A menu of links; with scripts also copying and printing, and on a phone the system's own sheet instead (saved.js). */
export function Share({ title }: { title: string }) {
  const { t, to, publicUrl, path } = useVisit()
  const url = publicUrl + to(path)
  const subject = encodeURIComponent(title)
  return (
    <details class="site-menu" data-share={url}>
      <summary class="btn btn-ghost btn-sm">
        <Icon name="share" /> {t('Compartir', 'Share')}
      </summary>
      <div class="menu-sheet">
        <a href={whatsAppHref(null, `${title}: ${url}`)} rel="noopener nofollow">
          <Icon name="chat" /> WhatsApp
        </a>
        <a href={`mailto:?subject=${subject}&body=${encodeURIComponent(url)}`}>
          <Icon name="mail" /> {t('Correo', 'Email')}
        </a>
        <button type="button" hidden data-copy-link data-done={t('Enlace copiado', 'Link copied')}>
          <Icon name="copy" /> <span aria-live="polite">{t('Copiar enlace', 'Copy link')}</span>
        </button>
        <button type="button" hidden data-print>
          <Icon name="document" /> {t('Imprimir', 'Print')}
        </button>
      </div>
    </details>
  )
}
