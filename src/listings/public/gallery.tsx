import { safeHref } from '../../http/html.tsx'
import { Picture } from '../../site/cards.tsx'
import { useVisit } from '../../site/visit.ts'
import { type Listing, pictureSrc } from '../../site/words.ts'

/** In the grid of a wide screen; the viewer shows the rest. */
const IN_GRID = 5

/**
 * A row of pictures that scrolls by touch, by wheel and, when focused, by the arrow keys; on a wide screen a grid of the
 * first five. Each is a link to the picture; viewer.js shows them full-screen, site.js adds buttons to the row.
 */
export function Gallery({ listing, title }: { listing: Listing; title: string }) {
  const { t, publicUrl } = useVisit()
  const images = listing.images.slice(0, 40)
  if (images.length === 0) {
    return (
      <div class="gallery is-empty">
        <Picture url={undefined} alt={t('Sin fotos', 'No photos')} width={1200} height={800} />
      </div>
    )
  }
  const name = (i: number) => t(`Foto ${i + 1} de ${images.length}`, `Photo ${i + 1} of ${images.length}`)
  return (
    <section
      class="gallery"
      data-gallery
      aria-label={t('Fotos', 'Photos')}
      data-next={t('Siguiente', 'Next')}
      data-previous={t('Anterior', 'Previous')}
      data-close={t('Cerrar', 'Close')}
      data-zoom={t('Ampliar', 'Zoom')}
    >
      <div class={`gallery-row is-${Math.min(images.length, IN_GRID)}`}>
        {images.map(({ url }, i) => (
          <figure id={`foto-${i + 1}`}>
            <a href={pictureSrc(safeHref(url), publicUrl)} rel="noopener nofollow" data-photo>
              <Picture
                url={url}
                alt={`${title}. ${name(i)}`}
                width={1200}
                height={800}
                eager={i === 0}
                sizes="(min-width: 1024px) 50vw, 100vw"
              />
            </a>
          </figure>
        ))}
      </div>
      {images.length > 1 && (
        <button type="button" class="gallery-all btn btn-sm" hidden data-all-photos>
          {t(`Ver las ${images.length} fotos`, `See all ${images.length} photos`)}
        </button>
      )}
    </section>
  )
}
