declare module 'autocannon' {
  interface Options {
    url: string
    headers?: Record<string, string>
    connections: number
    /** Seconds. */
    duration: number
    /** Sending threads; by default the current one. */
    workers?: number
  }
  export default function autocannon(
    options: Options,
  ): Promise<{ requests: { average: number }; non2xx: number }>
}
