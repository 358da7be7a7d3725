import { between, pick, type Random } from '../random.ts'
import { darker, HEIGHT, lighter, rect, repeat, shape, WIDTH } from './brush.ts'
import { type Light, WALLS, WOODS } from './light.ts'
import { agave, backdrop, bougainvillea, bush, HORIZON, lawn, palm, pot, sky, tree } from './scenery.ts'

/** Behind the house: a patio, a pergola, chairs. No pool: few listings have one. */
export function terrace(r: Random, light: Light): string {
  const wood = light.on(pick(r, WOODS))
  const wall = light.on('#d8b08c')
  return (
    sky(r, light) +
    backdrop(r, light, pick(r, ['hills', 'city'])) +
    lawn(r, light) +
    rect(0, 440, WIDTH, 130, wall) +
    rect(0, 432, WIDTH, 14, lighter(wall, 0.4)) +
    bougainvillea(r, light, 60, 410, 260, 110) +
    palm(light, 1080, 580, 330) +
    tree(r, light, 160, 580, 150) +
    shape(
      [
        [430, 610],
        [1060, 610],
        [1200, 760],
        [300, 760],
      ],
      light.on('#e9dfcc'),
    ) +
    rect(330, 380, 14, 240, wood) +
    rect(690, 380, 14, 240, wood) +
    rect(300, 366, 440, 18, wood) +
    repeat(9, i => rect(316 + i * 48, 346, 16, 40, darker(wood, 0.12))) +
    [400, 540]
      .map(
        x =>
          rect(x, 570, 110, 16, light.on('#fbf5e6'), 'rx="6"') +
          rect(x - 6, 528, 18, 54, light.on('#fbf5e6'), 'rx="6"') +
          rect(x + 10, 586, 8, 30, wood) +
          rect(x + 90, 586, 8, 30, wood),
      )
      .join('') +
    agave(light, 250, 690, 64) +
    pot(r, light, 1110, 640, 70) +
    bush(r, light, 60, 700, 80)
  )
}

/** The view from the top floor. */
export function panorama(r: Random, light: Light): string {
  return (
    sky(r, light) +
    backdrop(r, light, 'hills') +
    backdrop(r, light, 'city') +
    rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, light.on('#6f7f6a')) +
    repeat(34, i => {
      const [x, y] = [(i % 12) * 104 + between(r, -20, 20), HORIZON + Math.floor(i / 12) * 70 + 10]
      const wall = light.on(pick(r, WALLS))
      return (
        rect(x, y, 84, 90, wall) +
        rect(x, y, 84, 14, lighter(wall, 0.3)) +
        rect(x + 20, y + 34, 20, 26, light.hour === 'day' ? light.glass : light.lit)
      )
    }) +
    repeat(10, () => tree(r, light, r() * WIDTH, between(r, 680, 800), between(r, 50, 80))) +
    rect(0, 700, WIDTH, 12, '#2f343b') +
    rect(0, 712, WIDTH, 88, light.glass, 'opacity=".35"')
  )
}
