import { pick, type Random, weighted } from '../random.ts'
import { mix } from './brush.ts'

type Hour = 'day' | 'dusk' | 'night'

export interface Light {
  hour: Hour
  sky: readonly string[]
  /** A color at this time of day. */
  on(color: string): string
  /** Window panes seen from outside. */
  glass: string
  lit: string
}

const TINT: Record<Hour, [string, number]> = {
  day: ['#fff6e0', 0.04],
  dusk: ['#c2517a', 0.16],
  night: ['#141a3c', 0.52],
}
const SKIES: Record<Hour, readonly (readonly string[])[]> = {
  day: [
    ['#5bb4e5', '#a9daf2', '#fdf3dc'],
    ['#3f9ed8', '#8fcdf0', '#e9f5f4'],
    ['#79bfe0', '#c6e3ea', '#fbe9cf'],
  ],
  dusk: [
    ['#43508f', '#c96f8f', '#fbb77a'],
    ['#5a4a86', '#e0836d', '#ffd08a'],
    ['#2f5d8c', '#d98a8a', '#fbd3a0'],
  ],
  night: [
    ['#0c1233', '#1d2757', '#3d3f78'],
    ['#0a1a30', '#173a5a', '#3b5a78'],
  ],
}

export function drawLight(r: Random): Light {
  return lightAt(
    r,
    weighted<Hour>(r, [
      ['day', 6],
      ['dusk', 3],
      ['night', 1.3],
    ]),
  )
}

function lightAt(r: Random, hour: Hour): Light {
  const [tint, share] = TINT[hour]
  return {
    hour,
    sky: pick(r, SKIES[hour]),
    on: color => mix(color, tint, share),
    glass: hour === 'day' ? '#7fb1c4' : hour === 'dusk' ? '#5f6d98' : '#26305a',
    lit: hour === 'day' ? '#9cc7d4' : '#ffd98a',
  }
}

/** Rooms are lit even when it is night outside. */
export const indoors = (light: Light): Light =>
  light.hour === 'night' ? { ...light, on: color => mix(color, '#4a3350', 0.16) } : light

/** Colors of Mexican streets: rosa mexicano, añil, ocre, terracotta, talavera, jade, cal. */
export const WALLS = [
  '#d9467a',
  '#e8743b',
  '#e9a23b',
  '#f0c75e',
  '#c9543f',
  '#2f6fb0',
  '#3f8fa8',
  '#4b9c85',
  '#8cae68',
  '#9a6fb0',
  '#f2e6d0',
  '#efe9df',
  '#e7b7a0',
  '#d8866a',
] as const
export const PALE = ['#f4efe6', '#ece4d6', '#e3ded6', '#f7f3ec', '#dcd8d2'] as const
export const WOODS = ['#7a4a2b', '#5f3822', '#8c5a34', '#4a2f20'] as const
export const LEAVES = ['#4f8a4b', '#3d7a52', '#6a9a48', '#2f6b4f'] as const
export const BLOOMS = ['#d6336c', '#e64980', '#c2255c', '#e8590c', '#9c36b5', '#f59f00'] as const
