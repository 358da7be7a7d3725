import type { ComponentChildren } from 'preact'
import type { Lang, Words } from '../../lib/i18n.ts'
import { Picture } from '../../site/cards.tsx'
import { About, perSquareMeter } from '../../site/comparing.tsx'
import { useVisit } from '../../site/visit.ts'
import {
  amenityName,
  areaText,
  type Listing,
  placeName,
  priceText,
  titleOf,
  typeName,
} from '../../site/words.ts'

export const MOST_COMPARED = 4

type Row = [label: string, cell: (listing: Listing) => ComponentChildren]

const rowsOf = (t: Words, lang: Lang): Row[] => [
  [
    t('Precio', 'Price'),
    ({ operations }) =>
      operations.map(one => (
        <p>
          <strong>{priceText(one, lang)}</strong> <About operation={one} />
        </p>
      )),
  ],
  [
    t('Precio por m²', 'Price per m²'),
    listing => listing.operations.map(one => perSquareMeter(listing, one)).find(Boolean),
  ],
  [t('Lugar', 'Place'), ({ location }) => placeName(location)],
  [t('Tipo', 'Type'), ({ property_type: type }) => typeName(type, lang)],
  [t('Recámaras', 'Bedrooms'), ({ bedrooms }) => bedrooms],
  [t('Baños', 'Bathrooms'), ({ bathrooms }) => bathrooms],
  [t('Estacionamientos', 'Parking spaces'), ({ parking }) => parking],
  [t('Construcción', 'Built area'), ({ construction_m2: area }) => area && areaText(area, lang)],
  [t('Terreno', 'Lot'), ({ lot_m2: area }) => area && areaText(area, lang)],
  [t('Año', 'Year built'), ({ year_built }) => year_built],
  [
    t('Amenidades', 'Amenities'),
    ({ features }) => features.map(label => amenityName(label, lang)).join(', '),
  ],
  [t('Agente', 'Agent'), ({ agent, agency }) => [agent.name, agency?.name].filter(Boolean).join(' · ')],
]

export function Comparison({ listings }: { listings: Listing[] }) {
  const { t, to, lang } = useVisit()
  return (
    <div class="comparison">
      <table>
        <thead>
          <tr>
            <td />
            {listings.map(listing => (
              <th scope="col">
                <Picture url={listing.images[0]?.thumb} alt="" width={300} height={200} />
                <a class="link" href={to(`/propiedades/${listing.slug}`)}>
                  {titleOf(listing, lang)}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(t, lang).map(([label, cell]) => (
            <tr>
              <th scope="row">{label}</th>
              {listings.map(listing => (
                <td>{cell(listing) || '—'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
