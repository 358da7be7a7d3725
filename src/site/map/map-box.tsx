import { baseMapData } from '../../http/base-map.ts'
import { APPROXIMATE_METERS } from '../linked-data.tsx'
import { useVisit } from '../visit.ts'
import type { Listing } from '../words.ts'

/** Texts for map.js, in the visitor's language. */
function useMapWords() {
  const { t } = useVisit()
  return JSON.stringify({
    area: t('Buscar en esta zona', 'Search this area'),
    draw: t('Dibujar zona', 'Draw an area'),
    howToDraw: t('Arrastra para dibujar la zona', 'Drag to draw the area'),
    map: t('Mapa', 'Map'),
    list: t('Lista', 'List'),
    many: t('propiedades', 'properties'),
    zoomIn: t('Acercar', 'Zoom in'),
    zoomOut: t('Alejar', 'Zoom out'),
    here: t('Ubicación exacta', 'Exact location'),
    around: t('Zona aproximada', 'Approximate area'),
    failed: t('El mapa no cargó. Intenta de nuevo.', 'The map did not load. Try again.'),
  })
}

/** Results on a map: a static picture that map.js makes interactive. */
export function MapBox({ query }: { query: URLSearchParams }) {
  const { t, to, baseMap } = useVisit()
  const filters = new URLSearchParams(query)
  filters.delete('page')
  return (
    <div
      class="map-box"
      data-map="results"
      data-points={`/mapa.json?${filters}`}
      data-search={to('/propiedades')}
      data-meters={APPROXIMATE_METERS}
      data-listing={to('/propiedades/')}
      {...baseMapData(baseMap)}
      data-words={useMapWords()}
    >
      <img
        src={`/mapa.svg?${filters}`}
        alt={t('Mapa con las zonas donde hay propiedades', 'Map of the areas with properties')}
        width="900"
        height="560"
        loading="lazy"
      />
    </div>
  )
}

export function ListingMap({ location }: { location: Listing['location'] }) {
  const { t, baseMap } = useVisit()
  const { lat, lng, exact } = location
  const words = useMapWords()
  if (lat === null || lng === null) return null
  return (
    <>
      <div
        class="map-box is-listing"
        data-map="listing"
        data-lat={lat}
        data-lng={lng}
        data-meters={exact ? 0 : APPROXIMATE_METERS}
        {...baseMapData(baseMap)}
        data-words={words}
      >
        <img
          src={`/mapa.svg?punto=${lat},${lng}`}
          alt={t('Mapa de la zona', 'Map of the area')}
          width="900"
          height="560"
          loading="lazy"
        />
      </div>
      <p class="mt-2 text-sm opacity-80">
        {exact
          ? t('El agente muestra la ubicación exacta.', 'The agent shows the exact location.')
          : t(
              'Ubicación aproximada: la propiedad está dentro del círculo.',
              'Approximate location: the property is inside the circle.',
            )}
      </p>
    </>
  )
}
