import type { FastifyInstance } from 'fastify'
import { findProfile } from '../../agents/service.ts'
import { asset } from '../../http/assets.ts'
import { sendPage } from '../../http/html.tsx'
import { LANG_TAGS, type Lang, wordsIn } from '../../lib/i18n.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { signedIn } from '../../portal/layout.tsx'
import { Refusal } from '../../portal/refusal.ts'
import {
  amenityName,
  areaText,
  excerpt,
  type Listing,
  pictureSrc,
  placeName,
  priceText,
  titleOf,
  typeName,
} from '../../site/words.ts'
import type { MarketDeps } from '../service.ts'
import { type ById, marketListingOf } from './listing.tsx'

type Profile = Awaited<ReturnType<typeof findProfile>>

/** For a client, to print: under the agent's own name; without the commission and the exact address. */
export function registerSheet(app: FastifyInstance, deps: MarketDeps): void {
  app.get<ById>('/market/:id/sheet', VERIFIED, async (request, reply) => {
    const { lang, t } = request.visit
    const { record, isOptedOut, isPublished } = await marketListingOf(deps, request)
    if (isOptedOut || !isPublished) {
      throw new Refusal(
        'forbidden',
        t(
          'No hay ficha: su agente no permite que otros la anuncien, o no está publicada.',
          'There is no sheet: its agent does not let others advertise it, or it is not published.',
        ),
      )
    }
    const profile = await findProfile(deps.db, signedIn(request).id)
    return sendPage(
      reply,
      <Sheet listing={record} profile={profile} lang={lang} publicUrl={deps.publicUrl} />,
    )
  })
}

function Sheet(props: { listing: Listing; profile: Profile; lang: Lang; publicUrl: string }) {
  const { listing, profile, lang, publicUrl } = props
  const t = wordsIn(lang)
  const facts: [string, string | number | null | false | 0][] = [
    [t('Tipo', 'Type'), typeName(listing.property_type, lang)],
    [t('Recámaras', 'Bedrooms'), listing.bedrooms],
    [t('Baños', 'Bathrooms'), listing.bathrooms],
    [t('Estacionamientos', 'Parking spaces'), listing.parking],
    [t('Construcción', 'Built area'), listing.construction_m2 && areaText(listing.construction_m2, lang)],
    [t('Terreno', 'Lot'), listing.lot_m2 && areaText(listing.lot_m2, lang)],
    [t('Año de construcción', 'Year built'), listing.year_built],
  ]
  const description = (lang === 'en' ? listing.description_en : null) ?? listing.description ?? ''
  return (
    <html lang={LANG_TAGS[lang]} data-theme="lonja">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{titleOf(listing, lang)}</title>
        <link rel="stylesheet" href={asset('styles.css')} />
      </head>
      <body class="bg-base-100 text-base-content">
        <main class="mx-auto flex max-w-3xl flex-col gap-5 p-6 print:max-w-none print:p-0">
          <SheetHead profile={profile} />
          <h1 class="text-2xl font-semibold">{titleOf(listing, lang)}</h1>
          <p>{placeName(listing.location)}</p>
          <p class="text-xl font-semibold">
            {listing.operations.map(one => priceText(one, lang)).join(' · ')}
          </p>
          <div class="grid grid-cols-2 gap-2 empty:hidden">
            {listing.images.slice(0, 4).map(({ url }) => (
              <img
                key={url}
                src={pictureSrc(url, publicUrl)}
                alt=""
                referrerpolicy="no-referrer"
                class="aspect-4/3 w-full rounded-field object-cover"
              />
            ))}
          </div>
          <dl class="grid grid-cols-2 gap-x-6 gap-y-1 text-sm sm:grid-cols-4 print:grid-cols-4">
            {facts
              .filter(([, value]) => value)
              .map(([label, value]) => (
                <div key={label}>
                  <dt class="text-base-content/75">{label}</dt>
                  <dd class="font-medium">{value}</dd>
                </div>
              ))}
          </dl>
          <p class="text-sm whitespace-pre-line">{excerpt(description, 1_200)}</p>
          {listing.features.length > 0 && (
            <p class="text-sm">{listing.features.map(label => amenityName(label, lang)).join(' · ')}</p>
          )}
          <p class="border-t border-base-300 pt-3 text-xs text-base-content/75">
            {t('Agente de la propiedad:', 'Listing agent:')}{' '}
            {[listing.agent.name, listing.agency?.name].filter(Boolean).join(', ')}.{' '}
            {t(
              'Ubicación aproximada. Precio y disponibilidad pueden cambiar.',
              'Approximate location. Price and availability may change.',
            )}
          </p>
        </main>
      </body>
    </html>
  )
}

function SheetHead({ profile }: { profile: Profile }) {
  const { name, phone, email, agency_name: agency, agency_logo_url: logo } = profile
  return (
    <header class="flex items-center justify-between gap-6 border-b border-base-300 pb-4">
      <div>
        <p class="text-lg font-semibold">{name}</p>
        {agency && <p>{agency}</p>}
        <p class="text-sm">{[phone, email].filter(Boolean).join(' · ')}</p>
      </div>
      {logo && (
        <img
          src={logo}
          alt={agency ?? ''}
          class="max-h-20 max-w-48 object-contain"
          referrerpolicy="no-referrer"
        />
      )}
    </header>
  )
}
