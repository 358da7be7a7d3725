import { between, chance, int, pick, type Random } from '../random.ts'
import {
  circle,
  curve,
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
import { BLOOMS, LEAVES, type Light, PALE, WALLS } from './light.ts'

/** The height of the horizon. */
export const HORIZON = 560

export function sky(r: Random, light: Light): string {
  const sunX = between(r, 150, 1050)
  const clouds = repeat(light.hour === 'night' ? 1 : int(r, 1, 4), () =>
    cloud(between(r, 60, 1100), between(r, 60, 240), between(r, 50, 110), light),
  )
  const body =
    light.hour === 'night'
      ? repeat(46, () =>
          circle(r() * WIDTH, r() * 420, between(r, 1, 3), '#ffffff', `opacity=".${int(r, 3, 9)}"`),
        ) +
        circle(sunX, 130, 46, '#f6f1d8') +
        circle(sunX + 18, 118, 42, light.sky[0] as string)
      : light.hour === 'dusk'
        ? circle(sunX, 470, 150, '#ffe2a8', 'opacity=".35"') + circle(sunX, 470, 82, '#fff0c2')
        : circle(sunX, 130, 110, '#fff7d6', 'opacity=".45"') + circle(sunX, 130, 56, '#fff3bf')
  return rect(0, 0, WIDTH, HEIGHT, 'url(#sky)') + body + clouds
}

function cloud(x: number, y: number, size: number, light: Light): string {
  const white = light.hour === 'day' ? '#ffffff' : light.hour === 'dusk' ? '#ffd9c7' : '#46508a'
  return `<g opacity=".75">${ellipse(x, y, size, size * 0.3, white)}${ellipse(x - size * 0.4, y - size * 0.18, size * 0.5, size * 0.28, white)}${ellipse(x + size * 0.3, y - size * 0.24, size * 0.55, size * 0.34, white)}</g>`
}

export type Backdrop = 'city' | 'hills'

export function backdrop(r: Random, light: Light, kind: Backdrop): string {
  const far = mix(light.on('#6f8fa8'), light.sky[1] as string, 0.45)
  if (kind === 'city') {
    const tone = mix(far, light.on('#54607a'), 0.4)
    return repeat(22, i => {
      const h = between(r, 60, 230)
      const x = i * 56 - 10 + between(r, -12, 12)
      const lights =
        light.hour === 'day'
          ? ''
          : repeat(5, () =>
              rect(x + int(r, 4, 34), HORIZON - between(r, 12, h - 8), 5, 7, light.lit, 'opacity=".8"'),
            )
      return rect(x, HORIZON - h, between(r, 34, 58), h, tone) + lights
    })
  }
  return hills(r, light, 120)
}

function hills(r: Random, light: Light, height: number): string {
  const green = mix(light.on(pick(r, LEAVES)), light.sky[2] as string, 0.35)
  const y = () => Math.round(HORIZON - between(r, height * 0.5, height))
  return `<path d="M0 ${HORIZON}V${y()}C300 ${y() - 40} 420 ${y() + 20} 640 ${y()}S1000 ${y() - 30} ${WIDTH} ${y()}V${HORIZON}Z" fill="${green}"/>`
}

/** Pavement and street in front of town houses. */
export function street(r: Random, light: Light): string {
  const stone = light.on('#c9bda9')
  return (
    rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, light.on('#8a8178')) +
    rect(0, HORIZON + 70, WIDTH, 46, stone) +
    rect(0, HORIZON + 112, WIDTH, 8, darker(stone, 0.25)) +
    repeat(13, i => line(i * 96 + 20, HORIZON + 72, i * 96 + 6, HORIZON + 112, darker(stone, 0.12), 2)) +
    repeat(40, () =>
      ellipse(
        r() * WIDTH,
        between(r, HORIZON + 134, HEIGHT),
        between(r, 12, 30),
        5,
        light.on('#968d83'),
        'opacity=".6"',
      ),
    )
  )
}

export function lawn(r: Random, light: Light): string {
  const green = light.on(pick(r, ['#7fae5a', '#6f9f58', '#93b566', '#a8b06a']))
  return (
    rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, green) +
    repeat(60, () => {
      const [x, y] = [r() * WIDTH, between(r, HORIZON + 20, HEIGHT)]
      return line(
        x,
        y,
        x + between(r, -5, 5),
        y - between(r, 8, 18),
        darker(green, between(r, 0.08, 0.25)),
        3,
      )
    })
  )
}

export function tree(r: Random, light: Light, x: number, base: number, size: number): string {
  const bloom = chance(r, 0.35)
  const leaf = light.on(bloom ? pick(r, ['#9c7bc9', '#d6336c', '#e8590c']) : pick(r, LEAVES))
  const trunk = light.on('#6b4a35')
  const blob = (dx: number, dy: number, s: number, c: string) =>
    circle(x + dx * size, base + dy * size, s * size, c)
  return (
    rect(x - size * 0.06, base - size * 0.9, size * 0.12, size * 0.9, trunk) +
    blob(-0.3, -1.1, 0.36, darker(leaf)) +
    blob(0.32, -1.05, 0.34, darker(leaf, 0.1)) +
    blob(0, -1.35, 0.46, leaf) +
    blob(-0.16, -1.45, 0.22, lighter(leaf, 0.14))
  )
}

export function palm(light: Light, x: number, base: number, size: number): string {
  const leaf = light.on('#3f8a58')
  const top = base - size
  const frond = (dx: number, dy: number) =>
    `<path d="M${Math.round(x)} ${Math.round(top)}q${Math.round(dx * 0.5)} ${Math.round(dy - size * 0.28)} ${Math.round(dx)} ${Math.round(dy)}q${Math.round(-dx * 0.55)} ${Math.round(-size * 0.1)} ${Math.round(-dx)} ${Math.round(-dy)}Z" fill="${leaf}"/>`
  const s = size * 0.46
  return (
    curve(
      `M${Math.round(x + size * 0.05)} ${Math.round(base)}Q${Math.round(x + size * 0.1)} ${Math.round(base - size * 0.5)} ${Math.round(x)} ${Math.round(top)}`,
      light.on('#8a6a4a'),
      Math.round(size * 0.07),
    ) +
    [
      [-s, s * 0.4],
      [s, s * 0.4],
      [-s * 1.1, -s * 0.05],
      [s * 1.1, -s * 0.05],
      [-s * 0.6, s * 0.8],
      [s * 0.6, s * 0.8],
    ]
      .map(([dx, dy]) => frond(dx as number, dy as number))
      .join('')
  )
}

export function agave(light: Light, x: number, base: number, size: number): string {
  const leaf = light.on('#6d9a8d')
  return repeat(9, i => {
    const angle = Math.PI * (0.08 + (i / 8) * 0.84)
    const [dx, dy] = [Math.cos(angle) * size, Math.sin(angle) * size]
    return shape(
      [
        [x - size * 0.1, base],
        [x - dx, base - dy],
        [x + size * 0.1, base],
      ],
      i % 2 ? leaf : darker(leaf, 0.16),
    )
  })
}

export function nopal(light: Light, x: number, base: number, size: number): string {
  const green = light.on('#5c9150')
  const pad = (dx: number, dy: number, s: number, tilt: number) =>
    `<ellipse cx="${Math.round(x + dx * size)}" cy="${Math.round(base - dy * size)}" rx="${Math.round(s * size * 0.62)}" ry="${Math.round(s * size)}" fill="${s < 0.27 ? lighter(green, 0.12) : green}" transform="rotate(${tilt} ${Math.round(x + dx * size)} ${Math.round(base - dy * size)})"/>`
  return (
    pad(0, 0.34, 0.36, 0) +
    pad(-0.32, 0.78, 0.26, -32) +
    pad(0.3, 0.82, 0.28, 30) +
    pad(0.02, 1.02, 0.24, 4) +
    circle(x - 0.46 * size, base - 1.04 * size, size * 0.06, '#d6336c') +
    circle(x + 0.44 * size, base - 1.1 * size, size * 0.06, '#e64980')
  )
}

/** Bugambilia over a wall or a corner. */
export function bougainvillea(r: Random, light: Light, x: number, y: number, w: number, h: number): string {
  const bloom = light.on(pick(r, BLOOMS))
  return repeat(34, () => {
    const [dx, dy] = [r() * w, r() ** 1.6 * h]
    return circle(
      x + dx,
      y + dy,
      between(r, 7, 19),
      chance(r, 0.3) ? light.on('#4f8a4b') : chance(r, 0.4) ? darker(bloom, 0.14) : bloom,
    )
  })
}

export function bush(r: Random, light: Light, x: number, base: number, size: number): string {
  const leaf = light.on(pick(r, LEAVES))
  return repeat(5, i =>
    circle(
      x + (i - 2) * size * 0.42,
      base - size * (i % 2 ? 0.5 : 0.32),
      size * 0.4,
      i % 2 ? lighter(leaf, 0.1) : leaf,
    ),
  )
}

export function pot(r: Random, light: Light, x: number, base: number, size: number): string {
  const clay = light.on('#c0623a')
  return (
    bush(r, light, x, base - size * 0.7, size * 0.7) +
    shape(
      [
        [x - size * 0.4, base - size * 0.8],
        [x + size * 0.4, base - size * 0.8],
        [x + size * 0.28, base],
        [x - size * 0.28, base],
      ],
      clay,
    ) +
    rect(x - size * 0.46, base - size * 0.86, size * 0.92, size * 0.14, darker(clay, 0.1))
  )
}

export function lamp(light: Light, x: number, base: number): string {
  const iron = light.on('#2b2b33')
  const glow = light.hour === 'day' ? '' : circle(x, base - 232, 60, '#ffd98a', 'opacity=".28"')
  return (
    glow +
    rect(x - 4, base - 210, 8, 210, iron) +
    rect(x - 15, base - 250, 30, 40, light.lit) +
    rect(x - 18, base - 256, 36, 8, iron) +
    rect(x - 15, base - 214, 30, 6, iron)
  )
}

/** The houses next door. */
export function neighbors(r: Random, light: Light, left: number, right: number, base: number): string {
  const house = (x: number, w: number) => {
    const h = between(r, 190, 300)
    const wall = light.on(pick(r, chance(r, 0.6) ? WALLS : PALE))
    return (
      rect(x, base - h, w, h, wall) +
      rect(x, base - h, w, 12, lighter(wall)) +
      rect(x, base - 54, w, 54, darker(wall, 0.22)) +
      repeat(w / 130, i =>
        rect(
          x + 34 + i * 130,
          base - h + 66,
          58,
          96,
          light.hour !== 'day' && chance(r, 0.5) ? light.lit : darker(light.glass, 0.1),
        ),
      )
    )
  }
  return house(-20, left + 20) + house(right, WIDTH - right + 20)
}
