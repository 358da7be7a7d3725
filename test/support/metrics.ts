/** One line of what Prometheus reads. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/

export function samplesOf(text: string): Sample[] {
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? []
      if (name === '') throw new Error(`not a sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** The sum of those that have at least these labels; undefined if there is none. */
export function sumOf(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const found = samplesOf(text).filter(
    sample =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}
