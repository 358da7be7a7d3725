/** The shapes of all pictures. Coordinates are integers: half a unit of 1200 is invisible. */
const n = (value: number) => String(Math.round(value))

export const WIDTH = 1200
export const HEIGHT = 800

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${more && ` ${more}`}/>`

export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${more && ` ${more}`}/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}"${more && ` ${more}`}/>`

export const shape = (points: readonly (readonly [number, number])[], fill: string, more = ''): string =>
  `<path d="M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z" fill="${fill}"${more && ` ${more}`}/>`

export const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): string =>
  `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" stroke="${stroke}" stroke-width="${width}" fill="none" stroke-linecap="round"/>`

export const curve = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" stroke="${stroke}" stroke-width="${width}" fill="none" stroke-linecap="round"/>`

/** An arched opening: doors, arcades, windows of old houses. */
export const arch = (x: number, y: number, w: number, h: number, fill: string): string => {
  const r = w / 2
  return `<path d="M${n(x)} ${n(y + h)}V${n(y + r)}A${n(r)} ${n(r)} 0 0 1 ${n(x + w)} ${n(y + r)}V${n(y + h)}Z" fill="${fill}"/>`
}

export const repeat = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: Math.max(0, Math.round(count)) }, (_, i) => draw(i)).join('')

/** A color between two, both `#rrggbb`. */
export function mix(a: string, b: string, share: number): string {
  const channel = (i: number) => {
    const [from, to] = [a, b].map(color => Number.parseInt(color.slice(i, i + 2), 16)) as [number, number]
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(1)}${channel(3)}${channel(5)}`
}

export const darker = (color: string, share = 0.18): string => mix(color, '#1c1622', share)
export const lighter = (color: string, share = 0.25): string => mix(color, '#ffffff', share)

export const picture = (content: string, defs = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs>${defs}</defs>${content}</svg>`

export const gradient = (id: string, stops: readonly string[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops
    .map(
      (color, i) => `<stop offset="${Math.round((i / (stops.length - 1)) * 100)}%" stop-color="${color}"/>`,
    )
    .join('')}</linearGradient>`
