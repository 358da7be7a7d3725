import type { PropertyType } from '../../lookups/catalog.ts'
import { pick, type Random, shuffle, stream } from '../random.ts'
import { circle, gradient, mix, picture, rect, shape } from './brush.ts'
import { apartments, colonialHouse, modernHouse, tiledHouse } from './homes.ts'
import { drawLight, indoors, type Light, WALLS } from './light.ts'
import { panorama, terrace } from './outdoors.ts'
import { parcel, plan } from './plans.ts'
import { bathroom, bedroom, hall, kitchen, livingRoom, officeRoom } from './rooms.ts'
import { type Backdrop, backdrop, sky } from './scenery.ts'
import { cornerBuilding, land, officeTower, ranch, shop, warehouse } from './works.ts'

type Scene = (r: Random, light: Light) => string

const FACADES: Record<PropertyType, readonly Scene[]> = {
  house: [colonialHouse, modernHouse, tiledHouse],
  apartment: [apartments],
  land: [land],
  office: [officeTower],
  commercial: [shop],
  warehouse: [warehouse],
  ranch: [ranch],
  building: [cornerBuilding],
  other: [colonialHouse, tiledHouse],
}

/** Each scene once: two bedrooms drawn by the same hand look like one shown twice. */
const HOME: readonly Scene[] = [livingRoom, kitchen, bedroom, bathroom, terrace, plan]
const INSIDE: Record<PropertyType, readonly Scene[]> = {
  house: HOME,
  apartment: [livingRoom, kitchen, bedroom, panorama, bathroom, plan],
  land: [parcel, panorama],
  office: [officeRoom, panorama, plan, bathroom],
  commercial: [officeRoom, plan, hall, bathroom, panorama, parcel],
  warehouse: [hall, officeRoom, plan, parcel, bathroom, panorama],
  ranch: [terrace, livingRoom, bedroom, kitchen, bathroom, parcel],
  building: [livingRoom, kitchen, plan, panorama, bedroom, bathroom],
  other: HOME,
}

/** The front and each scene inside. */
export const mostPictures = (type: PropertyType): number => 1 + INSIDE[type].length

/** Nothing that only some places have, such as the sea or a volcano. */
const BACKDROPS: readonly Backdrop[] = ['city', 'hills', 'hills']

/**
 * A picture of an invented property: its front at index 0, then its rooms, all in the same light.
 * The same three arguments always give the same picture.
 */
export function drawProperty(seed: number, type: PropertyType, index: number): string {
  const house = stream(seed, 'house')
  const light = drawLight(house)
  const behind = pick(house, BACKDROPS)
  const r = stream(seed, `picture/${index}`)
  const rooms = shuffle(house, INSIDE[type])
  if (index > 0) {
    const scene = rooms[(index - 1) % rooms.length] as Scene
    return framed(scene(r, indoors(light)), light)
  }
  return framed(
    sky(house, light) + backdrop(house, light, behind) + pick(house, FACADES[type])(house, light),
    light,
  )
}

const framed = (content: string, light: Light) => picture(content, gradient('sky', light.sky))

/** The logo of an invented agency: a two-color shape without letters. */
export function drawSign(seed: number): string {
  const r = stream(seed, 'sign')
  const [a, b] = shuffle(r, WALLS) as [string, string]
  const dark = mix(a, '#1c1622', 0.35)
  const forms = [
    shape(
      [
        [300, 560],
        [300, 360],
        [600, 180],
        [900, 360],
        [900, 560],
      ],
      b,
    ) + rect(530, 400, 140, 160, dark),
    circle(600, 380, 200, b) +
      shape(
        [
          [420, 480],
          [600, 240],
          [780, 480],
        ],
        dark,
      ),
    rect(330, 220, 160, 360, b) + rect(520, 300, 160, 280, dark) + rect(710, 160, 160, 420, b),
    circle(480, 380, 160, b) + circle(720, 380, 160, dark),
  ]
  return picture(rect(0, 0, 1200, 800, mix(a, '#ffffff', 0.1)) + pick(r, forms))
}
