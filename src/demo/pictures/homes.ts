import { between, chance, int, pick, type Random } from '../random.ts'
import { arch, circle, darker, HEIGHT, lighter, line, rect, repeat, shape, WIDTH } from './brush.ts'
import { type Light, PALE, WALLS, WOODS } from './light.ts'
import {
  agave,
  bougainvillea,
  bush,
  HORIZON,
  lamp,
  lawn,
  neighbors,
  palm,
  pot,
  street,
  tree,
} from './scenery.ts'

const pane = (r: Random, light: Light) => (light.hour !== 'day' && chance(r, 0.65) ? light.lit : light.glass)

/** A tall window of an old house: stone frame, iron bars, sometimes a box of flowers. */
function ironWindow(r: Random, light: Light, x: number, y: number, w: number, h: number): string {
  const stone = light.on('#efe3cc')
  const iron = light.on('#3a3340')
  return (
    rect(x - 12, y - 14, w + 24, h + 28, stone) +
    rect(x, y, w, h, pane(r, light)) +
    repeat(5, i => line(x + (w / 5) * (i + 0.5), y, x + (w / 5) * (i + 0.5), y + h, iron, 4)) +
    repeat(3, i => line(x, y + (h / 3) * (i + 0.5), x + w, y + (h / 3) * (i + 0.5), iron, 3)) +
    rect(x - 20, y + h + 12, w + 40, 14, darker(stone, 0.12))
  )
}

function woodDoor(r: Random, light: Light, x: number, base: number, w: number, h: number): string {
  const wood = light.on(pick(r, WOODS))
  const stone = light.on('#e9dcc2')
  return (
    arch(x - 18, base - h - 18, w + 36, h + 18, stone) +
    arch(x, base - h, w, h, wood) +
    line(x + w / 2, base - h + 6, x + w / 2, base, darker(wood, 0.35), 4) +
    repeat(6, i =>
      rect(
        x + (i % 2 ? w / 2 + 10 : 10),
        base - h * 0.6 + Math.floor(i / 2) * h * 0.19,
        w / 2 - 20,
        h * 0.14,
        darker(wood, 0.2),
      ),
    ) +
    circle(x + w / 2 - 12, base - h * 0.34, 5, '#d9b45a') +
    circle(x + w / 2 + 12, base - h * 0.34, 5, '#d9b45a')
  )
}

/** One story on the street, painted, with a darker base and a cornice. */
export function colonialHouse(r: Random, light: Light): string {
  const wall = light.on(pick(r, WALLS))
  const base = HORIZON + 74
  const [left, right] = [between(r, 130, 200), between(r, 1000, 1080)]
  const w = right - left
  const top = base - between(r, 330, 390)
  const doorW = 132
  const doorAt = chance(r, 0.5) ? left + w / 2 - doorW / 2 : left + w * 0.12
  const windows = [0.1, 0.36, 0.62, 0.82]
    .map(at => left + w * at)
    .filter(x => x + 96 < right - 30 && (x + 130 < doorAt || x > doorAt + doorW + 50))
  return (
    street(r, light) +
    neighbors(r, light, left, right, base) +
    rect(left, top, w, base - top, wall) +
    rect(left - 10, top - 16, w + 20, 18, lighter(wall, 0.45)) +
    rect(left - 4, top + 2, w + 8, 10, darker(wall)) +
    repeat(w / 46, i => rect(left + 14 + i * 46, top - 42, 24, 26, wall)) +
    rect(left, base - 82, w, 82, darker(wall, 0.32)) +
    rect(left, base - 86, w, 6, lighter(wall, 0.4)) +
    windows.map(x => ironWindow(r, light, x, top + 92, 92, 158)).join('') +
    woodDoor(r, light, doorAt, base, doorW, 246) +
    (chance(r, 0.7)
      ? bougainvillea(r, light, chance(r, 0.5) ? left - 20 : right - 170, top - 40, 190, 190)
      : '') +
    pot(r, light, doorAt - 52, base + 18, 58) +
    pot(r, light, doorAt + doorW + 52, base + 18, 58) +
    lamp(light, chance(r, 0.5) ? left - 40 : right + 40, base + 40)
  )
}

/** White boxes, wide glass, a stone or wood accent, a garden. */
export function modernHouse(r: Random, light: Light): string {
  const wall = light.on(pick(r, PALE))
  const accent = light.on(pick(r, ['#8c5a34', '#6b4a35', '#5d646e', '#a8603c', '#39424e']))
  const base = HORIZON + 70
  const flip = chance(r, 0.5)
  const x = (at: number, w = 0) => (flip ? WIDTH - at - w : at)
  const box = (at: number, y: number, w: number, h: number, fill: string) => rect(x(at, w), y, w, h, fill)
  const glass = (at: number, y: number, w: number, h: number, parts: number) =>
    box(at, y, w, h, pane(r, light)) +
    repeat(parts - 1, i => box(at + ((i + 1) * w) / parts - 3, y, 6, h, light.on('#2f343b'))) +
    shape(
      [
        [x(at + w * 0.1), y],
        [x(at + w * 0.3), y],
        [x(at + w * 0.12), y + h],
        [x(at + w * 0.02), y + h],
      ],
      '#ffffff',
      'opacity=".14"',
    )
  const door = light.on(pick(r, WOODS))
  return (
    lawn(r, light) +
    tree(r, light, x(90), base, between(r, 170, 220)) +
    box(220, base - 210, 720, 210, darker(wall, 0.06)) +
    box(150, base - 400, 560, 200, wall) +
    box(150, base - 210, 560, 14, darker(wall, 0.3)) +
    box(620, base - 330, 330, 330, accent) +
    repeat(8, i => box(620, base - 320 + i * 40, 330, 3, darker(accent, 0.2))) +
    glass(200, base - 362, 250, 126, 3) +
    glass(500, base - 362, 90, 126, 2) +
    glass(250, base - 172, 260, 150, 3) +
    box(545, base - 170, 62, 170, door) +
    rect(x(556, 4), base - 90, 4, 40, '#d9c79a') +
    glass(680, base - 280, 210, 90, 3) +
    box(660, base - 150, 250, 150, light.on('#b9b2a8')) +
    repeat(5, i => box(660, base - 128 + i * 28, 250, 3, light.on('#8f887f'))) +
    box(900, base - 60, 330, 60, darker(wall, 0.1)) +
    shape(
      [
        [x(640), base],
        [x(930), base],
        [x(1060), HEIGHT],
        [x(560), HEIGHT],
      ],
      light.on('#cfc7bb'),
    ) +
    bush(r, light, x(240), base + 10, 62) +
    agave(light, x(400), base + 34, 58) +
    agave(light, x(490), base + 22, 44) +
    bush(r, light, x(1040), base + 8, 70) +
    (chance(r, 0.5) ? palm(light, x(1120), base + 40, 330) : tree(r, light, x(1110), base + 30, 190))
  )
}

/** Two stories under a red tile roof, with a balcony and a garage. */
export function tiledHouse(r: Random, light: Light): string {
  const wall = light.on(pick(r, chance(r, 0.55) ? WALLS : PALE))
  const tile = light.on(pick(r, ['#b5502f', '#a8472c', '#c2613a']))
  const base = HORIZON + 66
  const flip = chance(r, 0.5)
  const x = (at: number, w = 0) => (flip ? WIDTH - at - w : at)
  const roof = (at: number, y: number, w: number, h: number) =>
    shape(
      [
        [x(at - 34), y],
        [x(at + w * 0.2), y - h],
        [x(at + w * 0.8), y - h],
        [x(at + w + 34), y],
      ],
      tile,
    ) +
    repeat(5, i =>
      line(
        x(at - 34 + (w * 0.2 + 34) * ((i + 1) / 6)),
        y - (h * (i + 1)) / 6,
        x(at + w + 34 - (w * 0.2 + 34) * ((i + 1) / 6)),
        y - (h * (i + 1)) / 6,
        darker(tile, 0.16),
        3,
      ),
    ) +
    rect(x(at - 38, w + 76), y - 4, w + 76, 12, darker(tile, 0.3))
  const opening = (at: number, y: number, w: number, h: number) =>
    rect(x(at - 8, w + 16), y - 8, w + 16, h + 16, lighter(wall, 0.5)) +
    rect(x(at, w), y, w, h, pane(r, light)) +
    rect(x(at + w / 2 - 3, 6), y, 6, h, lighter(wall, 0.5)) +
    rect(x(at, w), y + h / 2 - 3, w, 6, lighter(wall, 0.5))
  const iron = light.on('#3a3340')
  return (
    (chance(r, 0.5) ? lawn(r, light) : street(r, light)) +
    tree(r, light, x(110), base, 200) +
    rect(x(230, 480), base - 400, 480, 400, wall) +
    rect(x(710, 300), base - 220, 300, 220, darker(wall, 0.08)) +
    roof(230, base - 400, 480, 96) +
    roof(710, base - 220, 300, 70) +
    opening(290, base - 350, 90, 110) +
    opening(560, base - 350, 90, 110) +
    rect(x(420, 100), base - 366, 100, 146, pane(r, light)) +
    rect(x(396, 148), base - 222, 148, 12, lighter(wall, 0.5)) +
    repeat(9, i => rect(x(400 + i * 17, 4), base - 280, 4, 60, iron)) +
    rect(x(396, 148), base - 284, 148, 6, iron) +
    opening(280, base - 160, 110, 100) +
    woodDoor(r, light, x(440, 96), base, 96, 176) +
    rect(x(760, 200), base - 150, 200, 150, light.on(pick(r, WOODS))) +
    repeat(4, i => rect(x(760, 200), base - 116 + i * 36, 200, 4, darker(light.on('#5f3822'), 0.2))) +
    rect(x(230, 480), base - 30, 480, 30, darker(wall, 0.3)) +
    bougainvillea(r, light, x(600, 150), base - 240, 130, 210) +
    bush(r, light, x(330), base + 14, 54) +
    pot(r, light, x(580), base + 22, 52) +
    palm(light, x(1090), base + 26, 300)
  )
}

/** Stories with balconies over an entrance. */
export function apartments(r: Random, light: Light): string {
  const wall = light.on(pick(r, chance(r, 0.5) ? PALE : WALLS))
  const trim = light.on(pick(r, ['#8c5a34', '#3f8fa8', '#c9543f', '#4f5b66', '#e9a23b']))
  const floors = int(r, 5, 8)
  const columns = int(r, 3, 5)
  const base = HORIZON + 74
  const w = between(r, 480, 640)
  const left = (WIDTH - w) / 2 + between(r, -90, 90)
  const story = (base - 130) / (floors + 0.6)
  const cell = w / columns
  const top = base - floors * story - 76
  const flat = (column: number, floor: number) => {
    const [x, y] = [left + column * cell + 16, top + 22 + floor * story]
    const isBalcony = (column + floor) % 2 === 0 || columns === 3
    return (
      rect(x, y, cell - 32, story * 0.66, pane(r, light)) +
      rect(x + (cell - 32) / 2 - 2, y, 4, story * 0.66, light.on('#39424e')) +
      (isBalcony
        ? rect(x - 10, y + story * 0.42, cell - 12, story * 0.3, trim, 'opacity=".82"') +
          rect(x - 12, y + story * 0.7, cell - 8, 7, lighter(wall, 0.4)) +
          (chance(r, 0.4) ? bush(r, light, x + 20, y + story * 0.46, 22) : '')
        : '')
    )
  }
  return (
    street(r, light) +
    neighbors(r, light, left - 40, left + w + 40, base) +
    rect(left + w, top + 30, 34, base - top - 30, darker(wall, 0.28)) +
    rect(left, top, w, base - top, wall) +
    rect(left - 8, top - 12, w + 16, 14, lighter(wall, 0.4)) +
    repeat(floors, floor => repeat(columns, column => flat(column, floor))) +
    rect(left, base - 72, w, 72, darker(wall, 0.3)) +
    rect(left + w / 2 - 74, base - 92, 148, 14, trim) +
    rect(left + w / 2 - 54, base - 78, 108, 78, light.lit) +
    rect(left + w / 2 - 3, base - 78, 6, 78, light.on('#39424e')) +
    tree(r, light, left - 30, base + 40, 150) +
    tree(r, light, left + w + 50, base + 44, 165) +
    pot(r, light, left + w / 2 - 100, base + 14, 50) +
    pot(r, light, left + w / 2 + 100, base + 14, 50)
  )
}
