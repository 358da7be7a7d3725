import { between, int, pick, type Random } from '../random.ts'
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
import { BLOOMS, type Light, WALLS, WOODS } from './light.ts'
import { FLOOR, hangingLamp, painting, room, rug, TALAVERA, view } from './room-parts.ts'
import { palm, pot } from './scenery.ts'

export function livingRoom(r: Random, light: Light): string {
  const { shell } = room(r, light)
  const sofa = light.on(
    pick(r, ['#3f8fa8', '#c9543f', '#5d6f58', '#b08968', '#39516b', '#d8866a', '#e6ded2']),
  )
  const cushion = () => light.on(pick(r, BLOOMS))
  return (
    shell +
    view(r, light, 120, 130, 270, 300) +
    painting(r, light, 560, 150, between(r, 180, 260), 150) +
    rug(r, light, 660, 680, 420) +
    rect(470, 400, 480, 130, darker(sofa, 0.1), 'rx="36"') +
    rect(430, 470, 560, 130, sofa, 'rx="34"') +
    rect(400, 440, 80, 170, darker(sofa, 0.14), 'rx="32"') +
    rect(940, 440, 80, 170, darker(sofa, 0.14), 'rx="32"') +
    rect(520, 430, 90, 90, cushion(), 'rx="16" transform="rotate(-10 565 475)"') +
    rect(800, 428, 90, 90, cushion(), 'rx="16" transform="rotate(9 845 473)"') +
    rect(450, 604, 20, 26, '#3a2a20') +
    rect(950, 604, 20, 26, '#3a2a20') +
    ellipse(690, 690, 170, 26, light.on('#7a4a2b')) +
    rect(680, 690, 20, 54, light.on('#5f3822')) +
    rect(650, 662, 44, 14, light.on('#e9a23b')) +
    pot(r, light, 740, 682, 34) +
    hangingLamp(light, 690, int(r, 40, 70), pick(r, WALLS)) +
    pot(r, light, 1100, 640, 120) +
    palm(light, 1100, 560, 230)
  )
}

export function kitchen(r: Random, light: Light): string {
  const { shell } = room(r, light)
  const cabinet = light.on(pick(r, ['#3f8fa8', '#4b7a5c', '#f4efe6', '#b98555', '#39516b', '#c9543f']))
  const top = light.on(pick(r, ['#efe9df', '#5d5a58', '#d8c6a8']))
  return (
    shell +
    repeat(14, i =>
      repeat(3, k => {
        const [x, y] = [i * 86, 268 + k * 46]
        return (
          rect(x, y, 84, 44, light.on('#fbf7ec')) +
          circle(x + 42, y + 22, 13, light.on(TALAVERA[(i + k) % 4] as string)) +
          circle(x + 42, y + 22, 5, light.on('#fbf7ec'))
        )
      }),
    ) +
    repeat(
      5,
      i => rect(40 + i * 150, 70, 142, 180, cabinet, 'rx="6"') + rect(160 + i * 150, 220, 10, 18, '#d9b45a'),
    ) +
    view(r, light, 870, 110, 220, 130) +
    rect(0, 406, WIDTH, 22, top) +
    rect(0, 428, WIDTH, 150, cabinet) +
    repeat(
      8,
      i =>
        rect(i * 150 + 6, 440, 138, 126, darker(cabinet, 0.09), 'rx="6"') +
        rect(i * 150 + 56, 452, 40, 6, '#d9b45a'),
    ) +
    rect(330, 300, 190, 280, light.on('#b9bcc0'), 'rx="8"') +
    rect(350, 440, 150, 110, '#26262c', 'rx="6"') +
    repeat(4, i => circle(362 + i * 42, 422, 8, '#26262c')) +
    rect(330, 300, 190, 104, light.on('#d4d6d8')) +
    curve('M940 406v-70q0 -34 40 -34t40 34', light.on('#c7c9cc'), 12) +
    rect(250, 610, 720, 30, top, 'rx="6"') +
    rect(290, 640, 640, 160, darker(cabinet, 0.16)) +
    repeat(
      3,
      i =>
        rect(330 + i * 200, 690, 110, 14, light.on('#7a4a2b')) +
        rect(344 + i * 200, 704, 10, 96, light.on('#5f3822')) +
        rect(416 + i * 200, 704, 10, 96, light.on('#5f3822')),
    ) +
    repeat(5, i =>
      circle(
        560 + i * 24,
        598 - (i % 2) * 10,
        17,
        light.on(pick(r, ['#8cae68', '#e9a23b', '#c9543f', '#e8743b'])),
      ),
    ) +
    hangingLamp(light, 440, 60, pick(r, WALLS)) +
    hangingLamp(light, 780, 60, pick(r, WALLS))
  )
}

export function bedroom(r: Random, light: Light): string {
  const { shell } = room(r, light)
  const cover = light.on(pick(r, ['#d9467a', '#3f8fa8', '#e9a23b', '#4b9c85', '#c9543f', '#9a6fb0']))
  const wood = light.on(pick(r, WOODS))
  const side = (x: number) =>
    rect(x, 510, 120, 110, wood, 'rx="6"') +
    rect(x + 10, 530, 100, 36, darker(wood, 0.18)) +
    (light.hour === 'day' ? '' : circle(x + 60, 440, 90, '#ffd98a', 'opacity=".25"')) +
    rect(x + 54, 450, 12, 60, '#d9b45a') +
    shape(
      [
        [x + 34, 400],
        [x + 86, 400],
        [x + 104, 456],
        [x + 16, 456],
      ],
      light.lit,
    )
  return (
    shell +
    view(r, light, 880, 120, 220, 250) +
    painting(r, light, 470, 110, 200, 130) +
    rect(300, 300, 540, 260, wood, 'rx="26"') +
    rect(330, 330, 480, 200, lighter(wood, 0.14), 'rx="18"') +
    side(150) +
    side(860) +
    rect(310, 470, 520, 130, '#fbf7ef', 'rx="20"') +
    rect(350, 440, 190, 84, light.on('#ffffff'), 'rx="24"') +
    rect(600, 440, 190, 84, light.on('#ffffff'), 'rx="24"') +
    `<path d="M290 560q280 -50 560 0l40 150h-640z" fill="${cover}"/>` +
    repeat(5, i =>
      curve(`M${300 - i * 9} ${592 + i * 24}q270 -44 ${540 + i * 18} 0`, lighter(cover, 0.32), 6),
    ) +
    rug(r, light, 570, 745, 380) +
    pot(r, light, 80, 650, 100)
  )
}

export function bathroom(r: Random, light: Light): string {
  const tile = light.on(pick(r, TALAVERA))
  const grout = light.on('#f4efe6')
  return (
    rect(0, 0, WIDTH, HEIGHT, grout) +
    repeat(9, y =>
      repeat(17, x =>
        rect(
          x * 72 + 3,
          y * 62 + 3,
          66,
          56,
          y > 5 ? ((x + y) % 3 === 0 ? lighter(tile, 0.2) : tile) : lighter(grout, 0.4),
        ),
      ),
    ) +
    rect(0, FLOOR, WIDTH, 240, light.on('#c9bda9')) +
    repeat(9, i => line(600 + (i - 4) * 130, FLOOR, 600 + (i - 4) * 330, HEIGHT, light.on('#b3a78f'), 3)) +
    view(r, light, 860, 120, 200, 190) +
    rect(150, 110, 360, 240, light.on('#8c5a34'), 'rx="120"') +
    rect(166, 126, 328, 208, mix(light.glass, '#ffffff', 0.45), 'rx="104"') +
    line(240, 300, 330, 160, '#ffffff', 8) +
    rect(120, 420, 420, 28, light.on('#efe9df')) +
    rect(150, 448, 360, 150, light.on('#9a6a42')) +
    rect(330, 460, 6, 130, light.on('#5f3822')) +
    ellipse(330, 424, 90, 20, '#ffffff') +
    curve('M330 412v-44q0 -18 26 -18', light.on('#c7a24a'), 10) +
    `<path d="M640 500h470q-10 150 -110 150h-250q-100 0 -110 -150z" fill="#ffffff"/>` +
    rect(620, 484, 510, 22, '#ffffff', 'rx="11"') +
    `<path d="M640 506h470q-3 50 -16 84h-438q-13 -34 -16 -84z" fill="${light.on('#e9eef0')}"/>` +
    rect(700, 648, 26, 24, '#c7a24a') +
    rect(1020, 648, 26, 24, '#c7a24a') +
    pot(r, light, 590, 660, 90) +
    rect(180, 470, 70, 90, light.on(pick(r, BLOOMS)), 'opacity=".85"')
  )
}

export function officeRoom(r: Random, light: Light): string {
  const { shell } = room(r, light)
  const desk = (x: number, y: number) =>
    rect(x, y, 270, 18, light.on('#c99c6c')) +
    rect(x + 14, y + 18, 12, 110, light.on('#39424e')) +
    rect(x + 244, y + 18, 12, 110, light.on('#39424e')) +
    rect(x + 84, y - 84, 110, 68, '#26303a', 'rx="4"') +
    rect(x + 92, y - 76, 94, 52, light.on('#9fd0dc')) +
    rect(x + 132, y - 16, 14, 16, '#26303a') +
    rect(x + 100, y + 40, 80, 74, light.on(pick(r, BLOOMS)), 'rx="20"')
  return (
    shell +
    repeat(
      4,
      i =>
        rect(60 + i * 280, 110, 250, 270, light.sky[1] as string) +
        rect(60 + i * 280, 290, 250, 90, mix(light.on('#54607a'), light.sky[1] as string, 0.4)) +
        rect(180 + i * 280, 110, 8, 270, light.on('#39424e')),
    ) +
    desk(70, 500) +
    desk(450, 500) +
    desk(830, 500) +
    hangingLamp(light, 300, 30, '#39424e') +
    hangingLamp(light, 900, 30, '#39424e') +
    pot(r, light, 400, 660, 90) +
    pot(r, light, 1150, 640, 110)
  )
}

export function hall(r: Random, light: Light): string {
  const steel = light.on('#c3c7c4')
  return (
    rect(0, 0, WIDTH, HEIGHT, light.on('#dfe1dd')) +
    shape(
      [
        [0, 0],
        [WIDTH, 0],
        [820, 240],
        [380, 240],
      ],
      steel,
    ) +
    repeat(7, i => line(i * 200, 0, 380 + i * 73, 240, darker(steel, 0.3), 7)) +
    repeat(3, i =>
      shape(
        [
          [480 + i * 90, 40 + i * 60],
          [620 + i * 10, 40 + i * 60],
          [610 + i * 6, 76 + i * 56],
          [500 + i * 80, 76 + i * 56],
        ],
        '#ffffff',
        'opacity=".7"',
      ),
    ) +
    rect(380, 240, 440, 230, light.lit) +
    shape(
      [
        [0, HEIGHT],
        [380, 470],
        [820, 470],
        [WIDTH, HEIGHT],
      ],
      light.on('#b4aea4'),
    ) +
    [0, 1]
      .map(k =>
        repeat(3, i => {
          const x = k ? 860 + i * 110 : 250 - i * 110
          const h = 190 + i * 90
          const y = 480 + i * 70
          return (
            rect(x, y - h, 90, h, 'none', `stroke="${light.on('#e8743b')}" stroke-width="9"`) +
            repeat(
              3,
              s =>
                rect(
                  x + 8,
                  y - h + 14 + (s * h) / 3,
                  74,
                  h / 3 - 26,
                  light.on(pick(r, ['#c49a66', '#b98555', '#a9855a'])),
                ) + rect(x, y - h + (s * h) / 3 + h / 3 - 8, 90, 8, light.on('#2f6fb0')),
            )
          )
        }),
      )
      .join('') +
    line(600, 470, 600, HEIGHT, light.on('#f4d35e'), 8)
  )
}
