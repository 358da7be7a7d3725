import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Words } from '../../lib/i18n.ts'
import { isUuid } from '../../lib/uuid.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { amenityName, areaText, placeName, priceText, titleOf, typeName } from '../../site/words.ts'
import { Empty, Panel } from '../../ui/panels.tsx'
import type { MarketListing } from '../record.ts'
import { findListing, type MarketDeps } from '../service.ts'
import { explain } from './explain.tsx'
import { Picture } from './results.tsx'
import { Commission, daysText, HOME, Marks, PriceChanges, pathOf, Ways } from './words.tsx'

const MOST = 4

export function registerCompare(app: FastifyInstance, deps: MarketDeps): void {
  app.get('/market/compare', async (request, reply) => {
    const agent = signedIn(request)
    if (!agent.isVerified) return explain(request, reply)
    const { t } = request.visit
    const ids = [...new Set((request.query as URLSearchParams).getAll('id'))].filter(isUuid)
    const found = await Promise.all(ids.slice(0, MOST).map(id => findListing(deps, id, agent.id)))
    const listings = found.filter(one => one !== undefined)
    return sendScreen(
      request,
      reply,
      {
        title: t('Comparar', 'Compare'),
        section: 'market',
        subtitle:
          ids.length > MOST
            ? t(
                'Puedes comparar hasta cuatro: estas son las primeras.',
                'You can compare up to four: these are the first.',
              )
            : t('Hasta cuatro, lado a lado.', 'Up to four, side by side.'),
        actions: (
          <a class="btn btn-ghost btn-sm" href={HOME}>
            {t('Volver al mercado', 'Back to the market')}
          </a>
        ),
      },
      listings.length === 0 ? <Nothing /> : <Comparison listings={listings} />,
    )
  })
}

function Nothing() {
  const { t } = useVisit()
  return (
    <Panel>
      <Empty icon="layers" title={t('No hay propiedades para comparar', 'No listings to compare')}>
        {t(
          'Marca propiedades en el mercado y vuelve aquí.',
          'Select listings on the market, then come back.',
        )}
      </Empty>
    </Panel>
  )
}

type Row = [label: string, cell: (listing: MarketListing) => ComponentChildren]

const rowsOf = (t: Words, lang: 'es' | 'en'): Row[] => [
  [
    t('Precio', 'Price'),
    ({ record }) => <strong>{record.operations.map(one => priceText(one, lang)).join(' · ')}</strong>,
  ],
  [t('Comisión compartida', 'Shared commission'), listing => <Commission listing={listing} />],
  [t('Lugar', 'Place'), ({ record }) => placeName(record.location)],
  [t('Tipo', 'Type'), ({ record }) => typeName(record.property_type, lang)],
  [t('Recámaras', 'Bedrooms'), ({ record }) => record.bedrooms],
  [t('Baños', 'Bathrooms'), ({ record }) => record.bathrooms],
  [t('Estacionamientos', 'Parking spaces'), ({ record }) => record.parking],
  [
    t('Construcción', 'Built area'),
    ({ record }) => record.construction_m2 && areaText(record.construction_m2, lang),
  ],
  [t('Terreno', 'Lot'), ({ record }) => record.lot_m2 && areaText(record.lot_m2, lang)],
  [t('Año', 'Year built'), ({ record }) => record.year_built],
  [
    t('Amenidades', 'Amenities'),
    ({ record }) => record.features.map(label => amenityName(label, lang)).join(', '),
  ],
  [t('En el mercado', 'On the market'), ({ days }) => days !== null && daysText(days, t)],
  [t('Cambios de precio', 'Price changes'), listing => <PriceChanges listing={listing} most={3} />],
  [
    t('Agente', 'Agent'),
    ({ contact, record }) => [contact.name, record.agency?.name].filter(Boolean).join(', '),
  ],
  [t('Contacto', 'Contact'), listing => !listing.isOwn && <Ways listing={listing} />],
]

function Comparison({ listings }: { listings: MarketListing[] }) {
  const { t, lang } = useVisit()
  return (
    <div class="overflow-x-auto rounded-box border border-base-300 bg-base-100">
      <table class="table">
        <thead class="text-base-content">
          <tr>
            <td />
            {listings.map(listing => (
              <th key={listing.record.id} scope="col" class="min-w-56 align-top">
                <div class="flex flex-col gap-2">
                  <Picture listing={listing} class="h-32 w-full" />
                  <a class="link" href={pathOf(listing)}>
                    {titleOf(listing.record, lang)}
                  </a>
                  <Marks listing={listing} />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(t, lang).map(([label, cell]) => (
            <tr key={label}>
              <th scope="row" class="align-top font-normal text-base-content/75">
                {label}
              </th>
              {listings.map(listing => (
                <td key={listing.record.id} class="align-top">
                  {cell(listing) || '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
