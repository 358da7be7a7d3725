import { Picture } from '../../site/cards.tsx'
import { useVisit } from '../../site/visit.ts'
import type { Listing } from '../../site/words.ts'

/** A row of pictures that scrolls by touch, by wheel and, when focused, by the arrow keys; site.js adds buttons. */
export function Gallery({ listing, title }: { listing: Listing; title: string }) {
  const { t } = useVisit()
  const { images } = listing
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
    >
      <section
        class="gallery-row"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={t('Galería: usa las flechas', 'Gallery: use the arrow keys')}
      >
        {images.slice(0, 40).map(({ url }, i) => (
          <figure id={`foto-${i + 1}`}>
            <Picture
              url={url}
              alt={`${title}. ${name(i)}`}
              width={1200}
              height={800}
              eager={i === 0}
              sizes="(min-width: 1024px) 66vw, 100vw"
            />
          </figure>
        ))}
      </section>
      {images.length > 1 && (
        <ul class="gallery-thumbs">
          {images.slice(0, 12).map(({ thumb }, i) => (
            <li>
              <a href={`#foto-${i + 1}`} aria-label={name(i)}>
                <Picture url={thumb} alt="" width={150} height={100} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
