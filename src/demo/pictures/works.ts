import { between, chance, int, pick, type Random } from '../random.ts'
import {
  arch,
  circle,
  darker,
  ellipse,
  HEIGHT,
  lighter,
  line,
  mix,
  rect,
  repeat,
  shape,
  WIDTH,
} from './brush.ts'
import { type Light, PALE, WALLS, WOODS } from './light.ts'
import {
  agave,
  bougainvillea,
  bush,
  HORIZON,
  lamp,
  lawn,
  neighbors,
  nopal,
  palm,
  pot,
  street,
  tree,
} from './scenery.ts'

export function officeTower(r: Random, light: Light): string {
  const frame = light.on(pick(r, ['#3d4b5c', '#55606b', '#2f5570', '#6b5a4a']))
  const glass = mix(light.glass, light.sky[1] as string, 0.35)
  const base = HORIZON + 74
  const w = between(r, 380, 520)
  const left = (WIDTH - w) / 2 + between(r, -60, 60)
  const top = between(r, 70, 140)
  const rows = 13
  const columns = int(r, 6, 9)
  const h = base - top - 90
  return (
    street(r, light) +
    neighbors(r, light, left - 60, left + w + 60, base) +
    shape(
      [
        [left + w, top + 40],
        [left + w + 60, top + 90],
        [left + w + 60, base],
        [left + w, base],
      ],
      darker(frame, 0.3),
    ) +
    rect(left, top, w, base - top, frame) +
    repeat(rows, row =>
      repeat(columns, column => {
        const isLit = light.hour !== 'day' && chance(r, 0.5)
        return rect(
          left + 10 + (column * (w - 14)) / columns,
          top + 16 + (row * h) / rows,
          (w - 14) / columns - 5,
          h / rows - 7,
          isLit ? light.lit : chance(r, 0.3) ? lighter(glass, 0.18) : glass,
        )
      }),
    ) +
    shape(
      [
        [left + w * 0.12, top],
        [left + w * 0.4, top],
        [left + w * 0.1, base - 90],
        [left, base - 90],
        [left, top + 180],
      ],
      '#ffffff',
      'opacity=".1"',
    ) +
    rect(left - 20, base - 84, w + 40, 14, lighter(frame, 0.5)) +
    repeat(5, i => rect(left + 16 + (i * (w - 30)) / 5, base - 66, (w - 60) / 5, 66, light.lit)) +
    tree(r, light, left - 70, base + 40, 140) +
    tree(r, light, left + w + 100, base + 42, 150) +
    bush(r, light, left + 40, base + 18, 40) +
    bush(r, light, left + w - 40, base + 18, 40)
  )
}

/** A shop on the street: sign, striped awning, display window. */
export function shop(r: Random, light: Light): string {
  const wall = light.on(pick(r, WALLS))
  const stripe = light.on(pick(r, ['#c9543f', '#2f6fb0', '#3d7a52', '#d9467a', '#e9a23b']))
  const base = HORIZON + 76
  const [left, w] = [230, 740]
  const top = base - 380
  const flip = chance(r, 0.5)
  const door = flip ? left + 60 : left + w - 190
  const display = flip ? left + 250 : left + 60
  return (
    street(r, light) +
    neighbors(r, light, left, left + w, base) +
    rect(left, top, w, base - top, wall) +
    rect(left - 10, top - 18, w + 20, 20, lighter(wall, 0.4)) +
    rect(left + 60, top + 30, w - 120, 74, darker(wall, 0.55), 'rx="8"') +
    repeat(int(r, 5, 8), i =>
      rect(left + 110 + i * 66, top + 54, between(r, 26, 52), 26, light.on('#f7e6b5'), 'rx="4"'),
    ) +
    rect(display, base - 210, 430, 170, light.lit) +
    repeat(6, i => {
      const x = display + 30 + i * 66
      return rect(
        x,
        base - 40 - between(r, 40, 110),
        40,
        110,
        light.on(pick(r, WALLS)),
        'opacity=".75" rx="6"',
      )
    }) +
    rect(display, base - 48, 430, 48, darker(wall, 0.35)) +
    rect(door, base - 216, 130, 216, light.on(pick(r, WOODS))) +
    rect(door + 16, base - 196, 98, 120, light.lit) +
    repeat(
      15,
      i =>
        shape(
          [
            [left + 34 + i * 45, base - 272],
            [left + 79 + i * 45, base - 272],
            [left + 77 + i * 46, base - 214],
            [left + 30 + i * 46, base - 214],
          ],
          i % 2 ? stripe : light.on('#fbf5e6'),
        ) + circle(left + 54 + i * 45.5, base - 214, 22, i % 2 ? stripe : light.on('#fbf5e6')),
    ) +
    pot(r, light, display + 20, base + 22, 58) +
    pot(r, light, door + 150, base + 22, 58) +
    lamp(light, left - 50, base + 40)
  )
}

export function warehouse(r: Random, light: Light): string {
  const steel = light.on(pick(r, ['#b8c0c6', '#c9c4b8', '#a9b7bd', '#d3cdc2']))
  const accent = light.on(pick(r, ['#2f6fb0', '#c9543f', '#e9a23b', '#3d7a52']))
  const base = HORIZON + 80
  const [left, right] = [110, 1090]
  const eaves = base - 290
  return (
    rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, light.on('#a39c92')) +
    shape(
      [
        [left, base],
        [left, eaves],
        [(left + right) / 2, eaves - between(r, 70, 120)],
        [right, eaves],
        [right, base],
      ],
      steel,
    ) +
    repeat(41, i => line(left + 10 + i * 24, eaves + 10, left + 10 + i * 24, base, darker(steel, 0.1), 3)) +
    rect(left, eaves - 2, right - left, 34, accent) +
    repeat(3, i => {
      const x = left + 90 + i * 300
      return (
        rect(x - 12, base - 212, 224, 212, darker(steel, 0.4)) +
        rect(x, base - 200, 200, 200, i === 1 && light.hour !== 'day' ? light.lit : light.on('#e6e2da')) +
        repeat(8, k => line(x, base - 188 + k * 25, x + 200, base - 188 + k * 25, light.on('#b9b2a6'), 3)) +
        rect(x + 70, base - 250, 60, 26, accent)
      )
    }) +
    rect(left, base, right - left, 10, darker(steel, 0.5)) +
    repeat(7, i => line(120 + i * 160, base + 50, 60 + i * 180, HEIGHT, light.on('#f4d35e'), 7)) +
    truck(light, between(r, 130, 700), base + 96, accent) +
    bush(r, light, 50, base + 10, 60) +
    bush(r, light, 1150, base + 10, 60)
  )
}

const truck = (light: Light, x: number, base: number, paint: string) =>
  rect(x, base - 120, 210, 104, light.on('#f6f3ec')) +
  rect(x + 20, base - 84, 170, 20, paint) +
  `<path d="M${Math.round(x + 214)} ${Math.round(base - 16)}v-80h48l34 40v40z" fill="${paint}"/>` +
  rect(x + 226, base - 86, 32, 30, light.glass) +
  [50, 160, 256]
    .map(dx => circle(x + dx, base - 14, 22, '#26262c') + circle(x + dx, base - 14, 9, '#9a9a9a'))
    .join('')

/** The arcade of a hacienda behind its fence. */
export function ranch(r: Random, light: Light): string {
  const wall = light.on(pick(r, ['#e9b44c', '#d9774a', '#c9543f', '#f2e6d0', '#e7b7a0', '#d8866a']))
  const tile = light.on('#b5502f')
  const base = HORIZON + 60
  const [left, w] = [170, 800]
  const arches = 7
  const cell = w / arches
  const wood = light.on('#7a5a3c')
  return (
    lawn(r, light) +
    tree(r, light, 90, base, 240) +
    rect(left, base - 230, w, 230, wall) +
    rect(left + w - 170, base - 350, 130, 130, wall) +
    shape(
      [
        [left + w - 190, base - 346],
        [left + w - 105, base - 410],
        [left + w - 20, base - 346],
      ],
      tile,
    ) +
    arch(left + w - 132, base - 326, 54, 90, darker(wall, 0.5)) +
    circle(left + w - 105, base - 276, 15, '#d9b45a') +
    shape(
      [
        [left - 40, base - 214],
        [left + 26, base - 276],
        [left + w - 26, base - 276],
        [left + w + 40, base - 214],
      ],
      tile,
    ) +
    repeat(36, i =>
      line(left - 10 + i * 23, base - 268, left - 22 + i * 23.6, base - 220, darker(tile, 0.16), 4),
    ) +
    repeat(arches, i =>
      arch(
        left + 14 + i * cell,
        base - 186,
        cell - 28,
        186,
        light.hour === 'day' ? darker(wall, 0.5) : mix(light.lit, '#7a3b1c', 0.35),
      ),
    ) +
    repeat(arches, i => rect(left + i * cell - 7, base - 110, 14, 110, light.on('#e9dcc2'))) +
    bougainvillea(r, light, left - 30, base - 270, 150, 170) +
    repeat(13, i => rect(i * 100 - 10, base + 60, 14, 92, wood)) +
    repeat(2, i => rect(0, base + 76 + i * 34, WIDTH, 10, lighter(wood, 0.1))) +
    (chance(r, 0.6) ? horse(light, between(r, 700, 950), base + 52) : '') +
    nopal(light, 1100, base + 20, 120) +
    agave(light, 1010, base + 26, 60)
  )
}

function horse(light: Light, x: number, base: number): string {
  const coat = light.on('#5a3a26')
  return (
    ellipse(x, base - 62, 54, 26, coat) +
    shape(
      [
        [x + 34, base - 74],
        [x + 66, base - 122],
        [x + 96, base - 112],
        [x + 98, base - 98],
        [x + 74, base - 96],
        [x + 54, base - 54],
      ],
      coat,
    ) +
    [-40, -26, 28, 42].map(dx => rect(x + dx, base - 54, 10, 54, darker(coat, 0.15))).join('') +
    `<path d="M${Math.round(x - 50)} ${Math.round(base - 74)}q-28 18 -20 54" stroke="${darker(coat, 0.4)}" stroke-width="9" fill="none"/>`
  )
}

/** Land for sale: stakes, a fence or furrows, and vegetation. */
export function land(r: Random, light: Light): string {
  const soil = light.on(pick(r, ['#b98d5a', '#c49a66', '#a9855a', '#8fa35c', '#9db065']))
  const plant = (x: number, y: number) => {
    const size = 40 + (y - HORIZON) * 0.35
    return pick(r, [agave, nopal, agave])(light, x, y, size)
  }
  const rows = chance(r, 0.4)
  const stake = (x: number, y: number, h: number) =>
    rect(x - 4, y - h, 8, h, light.on('#6b4a35')) + rect(x - 4, y - h, 8, 14, light.on('#d9467a'))
  return (
    rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, soil) +
    (rows
      ? repeat(14, i =>
          line(600 + (i - 7) * 40, HORIZON, 600 + (i - 7) * 190, HEIGHT, darker(soil, 0.14), 10),
        )
      : repeat(70, () =>
          ellipse(
            r() * WIDTH,
            between(r, HORIZON + 14, HEIGHT),
            between(r, 6, 26),
            4,
            darker(soil, between(r, 0.05, 0.2)),
          ),
        )) +
    repeat(int(r, 2, 4), () => tree(r, light, r() * WIDTH, HORIZON + 10, between(r, 60, 110))) +
    shape(
      [
        [330, HORIZON + 46],
        [890, HORIZON + 46],
        [1090, HEIGHT - 60],
        [130, HEIGHT - 60],
      ],
      lighter(soil, 0.16),
      'stroke="#ffffff" stroke-width="5" stroke-dasharray="22 16"',
    ) +
    stake(330, HORIZON + 46, 50) +
    stake(890, HORIZON + 46, 50) +
    stake(130, HEIGHT - 60, 90) +
    stake(1090, HEIGHT - 60, 90) +
    repeat(9, i => {
      const y = HORIZON + 60 + i * 18
      return plant(i % 2 ? between(r, 20, 150) : between(r, 1050, 1180), y)
    }) +
    (chance(r, 0.5) ? palm(light, 1080, HORIZON + 30, 220) : '')
  )
}

/** Shops below, apartments above, on a corner of the old town. */
export function cornerBuilding(r: Random, light: Light): string {
  const wall = light.on(pick(r, WALLS))
  const base = HORIZON + 76
  const [left, w, floors] = [220, 760, int(r, 3, 4)]
  const story = 104
  const top = base - 130 - floors * story
  const stone = light.on('#efe3cc')
  return (
    street(r, light) +
    neighbors(r, light, left, left + w, base) +
    rect(left, top, w, base - top, wall) +
    rect(left - 12, top - 22, w + 24, 24, stone) +
    repeat(16, i => rect(left + i * 49, top - 40, 26, 18, stone)) +
    repeat(floors, floor =>
      repeat(6, i => {
        const [x, y] = [left + 42 + i * 120, top + 28 + floor * story]
        return (
          rect(x - 8, y - 8, 74, 86, stone) +
          rect(x, y, 58, 70, light.hour !== 'day' && chance(r, 0.6) ? light.lit : light.glass) +
          rect(x + 27, y, 4, 70, stone) +
          rect(x - 14, y + 66, 86, 8, light.on('#3a3340')) +
          repeat(7, k => rect(x - 10 + k * 13, y + 44, 3, 24, light.on('#3a3340')))
        )
      }),
    ) +
    rect(left, base - 130, w, 130, darker(wall, 0.3)) +
    repeat(4, i =>
      arch(left + 36 + i * 186, base - 116, 128, 116, i % 2 ? light.lit : light.on(pick(r, WOODS))),
    ) +
    lamp(light, left - 44, base + 40) +
    tree(r, light, left + w + 80, base + 44, 150) +
    rect(0, 0, 0, 0, light.on(pick(r, PALE)))
  )
}
