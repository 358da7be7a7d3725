import type { Words } from '../../lib/i18n.ts'
import { type Currency, formatAmount } from '../../lib/money.ts'
import type { Shown } from '../service.ts'

/** What was found, in a sentence. */
export function wordsOf(finding: Shown, t: Words): string {
  const { kind, detail, other_title: other, other_agent: agent } = finding
  const money = (amount: unknown) => formatAmount(Number(amount), detail.currency as Currency)
  const whose = agent ? t(`de ${agent}`, `by ${agent}`) : t('tuya', 'yours')
  switch (kind) {
    case 'price_per_m2':
      return t(
        `El precio por m² (${money(detail.price)}) está muy lejos de lo usual en la zona (${money(detail.level)}).`,
        `The price per m² (${money(detail.price)}) is far from what is usual in the area (${money(detail.level)}).`,
      )
    case 'sale_like_rent':
      return t(
        `El precio de venta (${money(detail.amount)}) parece una renta.`,
        `The sale price (${money(detail.amount)}) looks like a rent.`,
      )
    case 'outside_state':
      return t(
        `El punto en el mapa está a ${detail.km} km del estado.`,
        `The point on the map is ${detail.km} km outside the state.`,
      )
    case 'outside_city':
      return t(
        `El punto en el mapa está a ${detail.km} km de la ciudad.`,
        `The point on the map is ${detail.km} km from the city.`,
      )
    case 'same_photos':
      return t(
        `Tiene ${detail.photos} fotos en común con «${other}» (${whose}).`,
        `It shares ${detail.photos} photos with “${other}” (${whose}).`,
      )
    case 'same_house':
      return t(
        `Parece la misma propiedad que «${other}» (${whose}).`,
        `It seems to be the same property as “${other}” (${whose}).`,
      )
    case 'capitals':
      return t('Está escrita en mayúsculas.', 'It is written in capitals.')
    case 'contact':
      return t(
        'El texto incluye un teléfono o un correo. Los tuyos ya salen junto al anuncio.',
        'The text includes a phone or an email. Yours already appear beside the listing.',
      )
  }
}

/** The field of the form where it can be corrected. */
export const fieldOf = ({ kind }: Shown): string =>
  ({
    price_per_m2: 'sale_price',
    sale_like_rent: 'sale_price',
    outside_state: 'lat',
    outside_city: 'lat',
    same_photos: 'title',
    same_house: 'title',
    capitals: 'title',
    contact: 'description',
  })[kind]

export const fixWords = (kind: Shown['kind'], t: Words): string =>
  kind === 'capitals'
    ? t('Pasar a minúsculas', 'Use sentence case')
    : t('Quitar teléfonos y correos', 'Remove phones and emails')
