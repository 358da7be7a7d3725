/** Drawn with one line on a grid of 24, in the colour of the text around it. */
export function Glyph({ path, ...look }: { path: string; class: string; width?: number; height?: number }) {
  return (
    <svg
      {...look}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
