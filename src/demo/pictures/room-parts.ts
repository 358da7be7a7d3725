import { chance, pick, type Random } from '../random.ts'
import { circle, darker, ellipse, HEIGHT, lighter, line, mix, rect, repeat, WIDTH } from './brush.ts'
import { BLOOMS, LEAVES, type Light, PALE, WALLS } from './light.ts'

export const FLOOR = 560
export const TALAVERA = ['#2f6fb0', '#e9a23b', '#3f8fa8', '#c9543f'] as const

interface Room {
  wall: string
  shell: string
}

export function room(r: Random, light: Light): Room {
  const wall = light.on(
    pick(r, chance(r, 0.6) ? PALE : ['#f0d9c0', '#dfe7df', '#f3dfd3', '#cfdde3', '#f2d9a8']),
  )
  const wood = light.on(pick(r, ['#b98555', '#9a6a42', '#c99c6c', '#b0603c']))
  const tiled = chance(r, 0.4)
  const floor = repeat(tiled ? 11 : 9, i =>
    line(
      600 + (i - (tiled ? 5 : 4)) * 110,
      FLOOR,
      600 + (i - (tiled ? 5 : 4)) * 300,
      HEIGHT,
      darker(wood, 0.14),
      3,
    ),
  )
  const across = tiled
    ? repeat(4, i => line(0, FLOOR + 30 + i * i * 16, WIDTH, FLOOR + 30 + i * i * 16, darker(wood, 0.14), 3))
    : ''
  return {
    wall,
    shell:
      rect(0, 0, WIDTH, FLOOR, wall) +
      (chance(r, 0.35)
        ? repeat(7, i => rect(i * 190 + 10, 0, 34, 44, light.on('#8c5a34'))) +
          rect(0, 40, WIDTH, 8, light.on('#7a4a2b'))
        : '') +
      rect(0, FLOOR, WIDTH, HEIGHT - FLOOR, wood) +
      floor +
      across +
      rect(0, FLOOR - 16, WIDTH, 16, lighter(wall, 0.4)),
  }
}

/** A window with the sky outside and curtains inside. */
export function view(r: Random, light: Light, x: number, y: number, w: number, h: number): string {
  const curtain = light.on(pick(r, ['#f2e6d0', '#e7c9b5', '#cddbd2', '#e8d7b0']))
  const frame = light.on('#f7f3ec')
  return (
    rect(x - 14, y - 14, w + 28, h + 28, darker(frame, 0.1)) +
    rect(x, y, w, h, light.sky[1] as string) +
    rect(x, y + h * 0.55, w, h * 0.45, mix(light.on(pick(r, LEAVES)), light.sky[2] as string, 0.3)) +
    circle(x + w * 0.75, y + h * 0.25, 24, light.hour === 'night' ? '#f6f1d8' : '#fff3bf') +
    ellipse(x + w * 0.25, y + h * 0.62, w * 0.22, h * 0.16, light.on(pick(r, LEAVES))) +
    ellipse(x + w * 0.62, y + h * 0.66, w * 0.26, h * 0.14, light.on(pick(r, LEAVES))) +
    rect(x + w / 2 - 5, y, 10, h, frame) +
    rect(x, y + h / 2 - 4, w, 8, frame) +
    rect(x - 40, y - 34, w + 80, 10, light.on('#5f3822')) +
    `<path d="M${Math.round(x - 34)} ${Math.round(y - 28)}h70q-6 ${Math.round(h * 0.6)} -44 ${Math.round(h + 60)}h-26z" fill="${curtain}"/>` +
    `<path d="M${Math.round(x + w + 34)} ${Math.round(y - 28)}h-70q6 ${Math.round(h * 0.6)} 44 ${Math.round(h + 60)}h26z" fill="${curtain}"/>`
  )
}

export function painting(r: Random, light: Light, x: number, y: number, w: number, h: number): string {
  const [a, b, c] = [pick(r, WALLS), pick(r, WALLS), pick(r, WALLS)]
  return (
    rect(x - 8, y - 8, w + 16, h + 16, light.on('#5f3822')) +
    rect(x, y, w, h, light.on(a)) +
    circle(x + w * 0.65, y + h * 0.36, h * 0.2, light.on(b)) +
    `<path d="M${Math.round(x)} ${Math.round(y + h)}v${Math.round(-h * 0.4)}q${Math.round(w * 0.3)} ${Math.round(-h * 0.25)} ${Math.round(w * 0.55)} 0t${Math.round(w * 0.45)} 0v${Math.round(h * 0.4)}z" fill="${light.on(c)}"/>`
  )
}

export const hangingLamp = (light: Light, x: number, length: number, color: string) =>
  line(x, 0, x, length, '#3a3340', 4) +
  (light.hour === 'day' ? '' : circle(x, length + 40, 110, '#ffd98a', 'opacity=".22"')) +
  `<path d="M${Math.round(x - 50)} ${length + 46}q50 -92 100 0z" fill="${light.on(color)}"/>` +
  ellipse(x, length + 46, 50, 9, light.lit)

export function rug(r: Random, light: Light, x: number, y: number, w: number): string {
  const [a, b] = [light.on(pick(r, WALLS)), light.on(pick(r, BLOOMS))]
  return (
    ellipse(x, y, w, w * 0.17, a) +
    ellipse(x, y, w * 0.82, w * 0.135, lighter(a, 0.35)) +
    ellipse(x, y, w * 0.6, w * 0.095, b)
  )
}
