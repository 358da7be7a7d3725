import { chance, pick, stream } from '../random.ts'
import { circle, curve, darker, ellipse, lighter, line, rect } from './brush.ts'

const SIDE = 480
const SKINS = ['#f1c9a5', '#e0ac7e', '#c68a5b', '#a56b41', '#8a5633']
const HAIRS = ['#1f1a17', '#3a2a1f', '#5a3d28', '#7a7672', '#8b5a33']
const CLOTHES = ['#2f4858', '#7a3b3f', '#3d5a45', '#5b4b78', '#8a6a2f', '#404a5c']
const WALLS = ['#e9dfcf', '#d7e3e0', '#ead9d6', '#dde1ec', '#e4e6d3']

/** Head and shoulders without a face, made for the size of a thumbnail. Odd seeds are women. */
export function drawPortrait(seed: number): string {
  const r = stream(seed, 'portrait')
  const [skin, hair, cloth, wall] = [pick(r, SKINS), pick(r, HAIRS), pick(r, CLOTHES), pick(r, WALLS)]
  const isLong = seed % 2 === 1
  const content = [
    rect(0, 0, SIDE, SIDE, wall),
    isLong ? ellipse(240, 250, 122, 150, hair) : '',
    ellipse(240, 470, 178, 132, cloth),
    rect(206, 286, 68, 76, darker(skin, 0.12)),
    ellipse(240, 352, 48, 30, skin),
    // The collar.
    line(200, 352, 240, 400, lighter(cloth), 12),
    line(280, 352, 240, 400, lighter(cloth), 12),
    ellipse(240, 216, 84, 104, skin),
    isLong ? fringe(hair) : crop(hair),
    chance(r, 0.3) ? glasses() : '',
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}">${content.join('')}</svg>`
}

const crop = (hair: string) =>
  `<path d="M150 220C142 96 338 96 330 220C322 176 300 160 268 156C226 150 176 160 150 220Z" fill="${hair}"/>`

const fringe = (hair: string) =>
  `<path d="M148 250C132 92 348 92 332 250C326 190 296 166 262 140C232 176 176 186 148 250Z" fill="${hair}"/>`

const glasses = () =>
  circle(206, 222, 26, 'none', 'stroke="#2b2b2b" stroke-width="7"') +
  circle(274, 222, 26, 'none', 'stroke="#2b2b2b" stroke-width="7"') +
  curve('M232 220H248', '#2b2b2b', 7)
