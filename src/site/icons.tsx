import { Glyph } from '../ui/glyph.tsx'

const PATHS = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM20 20l-4.8-4.8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  bed: 'M3 18v-8M3 14h18v4M21 14v-2a3 3 0 0 0-3-3h-7v5M7 12.500a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600Z',
  bath: 'M4 12h16v2a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM6 12V6a2 2 0 0 1 4 0M7 19l-1 2M17 19l1 2',
  car: 'M5 16v2M19 16v2M4 16v-4l2-5h12l2 5v4zM4 12h16M7.5 14h.01M16.5 14h.01',
  area: 'M4 4h16v16H4zM4 9h4V4M20 15h-4v5',
  lot: 'M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8',
  pin: 'M12 21s7-6 7-11.500a7 7 0 0 0-14 0C5 15 12 21 12 21ZM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  phone: 'M6 3h3l2 5-2.5 1.500a12 12 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3Z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  chat: 'M4 20l1.5-4.500a8 8 0 1 1 3 3zM9 11h.01M12 11h.01M15 11h.01',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  filters: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M16 4v4M8 10v4M14 16v4',
  map: 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14',
  rss: 'M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.7-5 2.7 1-5.7-4-4 5.5-.8z',
  close: 'M6 6l12 12M18 6L6 18',
  calendar: 'M5 6h14v14H5zM5 10h14M9 4v4M15 4v4',
  layers: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4',
  play: 'M8 5l11 7-11 7z',
} as const
export type IconName = keyof typeof PATHS

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <Glyph path={PATHS[name]} class="icon" width={size} height={size} />
}
