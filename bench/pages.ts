import type { FastifyInstance } from 'fastify'

export const ROUNDS = 40

/** Server time and size of each kind of page, one request at a time; `i` counts the rounds. */
export async function timePages(
  app: FastifyInstance,
  pages: Record<string, (i: number) => string>,
  headers: Record<string, string> = {},
): Promise<void> {
  const report: Record<string, object> = {}
  for (const [name, pathOf] of Object.entries(pages)) report[name] = await measure(pathOf)
  console.table(report)

  async function measure(pathOf: (i: number) => string) {
    const times: number[] = []
    let bytes = 0
    let status = 0
    const before = process.cpuUsage()
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now()
      const answer = await app.inject({ url: pathOf(i), headers: { accept: 'text/html', ...headers } })
      times.push(performance.now() - start)
      bytes = Math.max(bytes, answer.rawPayload.length)
      status = answer.statusCode
    }
    const { user, system } = process.cpuUsage(before)
    times.sort((a, b) => a - b)
    const at = (share: number) => Number((times[Math.floor(share * (ROUNDS - 1))] as number).toFixed(1))
    return {
      status,
      'median ms': at(0.5),
      'p95 ms': at(0.95),
      // CPU time of this process only: comparable even on a busy machine.
      'cpu ms': Number(((user + system) / 1000 / ROUNDS).toFixed(1)),
      'most KB': Math.round(bytes / 1024),
    }
  }
}
