const PATHS = {
  home: 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-5h4v5',
  building: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5A6 6 0 0 1 21 20',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h9M18 12v3.5M15 12v2.5',
  bolt: 'M13 2 4 14h7l-1 8 9-12h-7l1-8Z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9a8 8 0 0 1 16 0',
  lock: 'M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  shield: 'M12 3 4.5 6v6c0 4.5 3 7.5 7.5 9 4.5-1.5 7.5-4.5 7.5-9V6L12 3Zm-3 9 2.2 2.2L15.5 10',
  exit: 'M14 4H5v16h9M10 12h11M17.5 8.5 21 12l-3.5 3.5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.5 9h17M3.5 15h17M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9s1-6.5 3.5-9Z',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  heart: 'M12 20s-7.5-4.700-7.5-10A4.3 4.3 0 0 1 12 7.500 4.3 4.3 0 0 1 19.500 10c0 5.300-7.500 10-7.500 10Z',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5M12 8h.01',
  alert: 'M12 4 2.5 20h19L12 4Zm0 6v4.5M12 17.5h.01',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 21 21',
  phone:
    'M5 4h4l1.5 5-2.5 1.5a11 11 0 0 0 5.5 5.5L15 13.5l5 1.5v4a2 2 0 0 1-2 2A15 15 0 0 1 3 6a2 2 0 0 1 2-2Z',
  mail: 'M3 6h18v12H3zM3 7l9 6.5L21 7',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  pin: 'M12 21s7-6.2 7-11.5a7 7 0 1 0-14 0C5 14.8 12 21 12 21Zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  photo: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 9.5h.01',
  trash: 'M4 7h16M9.5 7V4h5v3M6.5 7l1 13h9l1-13M10 11v5.500M14 11v5.5',
  pencil: 'M4 20h4L20 8l-4-4L4 16v4ZM14 6l4 4',
  play: 'M7 4.500v15l12-7.5-12-7.500Z',
  refresh: 'M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5',
  calendar: 'M4 6h16v14H4zM4 10.500h16M8 3v4M16 3v4',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M4 20h16',
  share:
    'M18 8.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 14.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 20.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.2 10.800l7.6-3.600M8.2 13.200l7.6 3.6',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  bed: 'M3 18v-8M3 14h18v4M21 14v-2a3 3 0 0 0-3-3h-7v5M7 12.500a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600Z',
  bath: 'M4 12h16v2a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM6 12V6a2 2 0 0 1 4 0M7 19l-1 2M17 19l1 2',
  car: 'M5 16v2M19 16v2M4 16v-4l2-5h12l2 5v4zM4 12h16M7.5 14h.01M16.5 14h.01',
  area: 'M4 4h16v16H4zM4 9h4V4M20 15h-4v5',
  lot: 'M4 8l8-4 8 4-8 4zM4 8v8l8 4 8-4V8M12 12v8',
  filters: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M16 4v4M8 10v4M14 16v4',
  map: 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14',
  rss: 'M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14',
  close: 'M6 6l12 12M18 6L6 18',
  handshake:
    'M3 8l4-3 5 2 5-2 4 3v7l-3 1M3 8v7l3 1 4 3.500 2-1 2 1 4-3.500M12 7l-3.500 4.500c1.500 1.500 3 .5 4-1L17 14.500',
  layers: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4',
} as const
export type IconName = keyof typeof PATHS

/** Stroke icons on a 24-unit grid, in the text color. A class such as `size-4` overrides `size`. */
export function Icon({
  name,
  size = 20,
  class: more = '',
}: {
  name: IconName
  size?: number
  class?: string
}) {
  return (
    <svg
      class={`icon shrink-0 ${more}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
