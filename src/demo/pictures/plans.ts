import { between, int, pick, type Random } from '../random.ts'
import { circle, curve, darker, ellipse, HEIGHT, line, rect, repeat, shape, WIDTH } from './brush.ts'
import { LEAVES, type Light } from './light.ts'

/** An architect's floor plan. */
export function plan(r: Random): string {
  const ink = '#2b4a6b'
  const wall = (x1: number, y1: number, x2: number, y2: number) => line(x1, y1, x2, y2, ink, 12)
  const [a, b] = [int(r, 440, 620), int(r, 360, 460)]
  const bed = (x: number, y: number) =>
    rect(x, y, 110, 130, 'none', `stroke="${ink}" stroke-width="4" rx="8"`) +
    rect(x + 14, y + 10, 36, 26, 'none', `stroke="${ink}" stroke-width="3"`) +
    rect(x + 60, y + 10, 36, 26, 'none', `stroke="${ink}" stroke-width="3"`)
  return (
    rect(0, 0, WIDTH, HEIGHT, '#eef3f6') +
    repeat(24, i => line(i * 50, 0, i * 50, HEIGHT, '#dbe5ea', 1)) +
    repeat(16, i => line(0, i * 50, WIDTH, i * 50, '#dbe5ea', 1)) +
    rect(170, 110, 860, 580, '#fbfdfe') +
    rect(170, 110, a - 170, b - 110, '#f6e3c5') +
    rect(a, 110, 1030 - a, b - 110, '#dcead9') +
    rect(170, b, 300, 690 - b, '#dbe8f3') +
    wall(170, 110, 1030, 110) +
    wall(1030, 110, 1030, 690) +
    wall(1030, 690, 700, 690) +
    wall(600, 690, 170, 690) +
    wall(170, 690, 170, 110) +
    wall(a, 110, a, b - 90) +
    wall(170, b, a - 90, b) +
    wall(a, b, 1030, b) +
    wall(470, b, 470, 600) +
    wall(760, b, 760, 590) +
    curve('M600 690a100 100 0 0 1 100 -100', ink, 3) +
    curve(`M${a - 90} ${b}a90 90 0 0 1 90 -90`, ink, 3) +
    bed(200, 140) +
    bed(900, 140) +
    rect(210, b + 40, 60, 100, 'none', `stroke="${ink}" stroke-width="4" rx="24"`) +
    ellipse(340, b + 70, 30, 38, 'none', `stroke="${ink}" stroke-width="4"`) +
    rect(520, b + 50, 180, 60, 'none', `stroke="${ink}" stroke-width="4" rx="14"`) +
    circle(620, b + 170, 44, 'none', `stroke="${ink}" stroke-width="4"`) +
    repeat(4, i => rect(800 + i * 56, b + 30, 50, 44, 'none', `stroke="${ink}" stroke-width="4"`)) +
    line(170, 740, 1030, 740, ink, 3) +
    line(170, 726, 170, 754, ink, 3) +
    line(1030, 726, 1030, 754, ink, 3) +
    circle(1110, 130, 44, 'none', `stroke="${ink}" stroke-width="3"`) +
    shape(
      [
        [1110, 84],
        [1124, 140],
        [1110, 130],
        [1096, 140],
      ],
      ink,
    )
  )
}

/** A lot from above, with its streets and neighbors. */
export function parcel(r: Random, light: Light): string {
  const green = light.on('#9db877')
  const road = light.on('#cfc9bf')
  return (
    rect(0, 0, WIDTH, HEIGHT, green) +
    repeat(90, () =>
      circle(
        r() * WIDTH,
        r() * HEIGHT,
        between(r, 8, 26),
        darker(light.on(pick(r, LEAVES)), 0.05),
        'opacity=".8"',
      ),
    ) +
    rect(0, 600, WIDTH, 90, road) +
    rect(200, 0, 80, HEIGHT, road) +
    repeat(13, i => rect(i * 100 + 10, 641, 50, 7, '#ffffff')) +
    repeat(5, i => {
      const [x, y] = [330 + i * 180, int(r, 30, 80)]
      return (
        rect(x, y, 120, 110, light.on(pick(r, ['#c2613a', '#b5502f', '#d8d2c8', '#a8472c']))) +
        line(x, y, x + 120, y + 110, '#00000022', 4)
      )
    }) +
    rect(
      400,
      230,
      470,
      330,
      light.on(pick(r, ['#d9b98a', '#c9cf9a', '#cda878'])),
      'stroke="#ffffff" stroke-width="9" stroke-dasharray="30 18"',
    ) +
    repeat(18, () =>
      circle(between(r, 430, 840), between(r, 260, 530), between(r, 6, 16), light.on(pick(r, LEAVES))),
    ) +
    `<path d="M635 330c-44 0-70 30-70 66c0 48 70 104 70 104s70-56 70-104c0-36-26-66-70-66z" fill="#c9384f"/>` +
    circle(635, 394, 26, '#ffffff')
  )
}
