import { Overloaded } from './problem.ts'

interface TurnLimits {
  /** Tasks that run at a time, in total and per key. */
  running: number
  runningPerKey: number
  /** Tasks that wait, in total and per key. */
  waiting: number
  waitingPerKey: number
}

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Limits concurrency fairly. Waiting tasks queue per key, an account or an address, and the queues take turns, so a
 * heavy user delays only their own tasks. A full queue rejects with a request to retry.
 */
export function fairTurns(limits: TurnLimits) {
  /** The key served most recently is last. */
  const lines = new Map<string, Line>()
  let running = 0
  let waiting = 0

  /**
   * One start per round of the event loop: otherwise tasks that never wait would all run in the same round, and
   * everything else would wait for all of them.
   */
  let hasStarted = false

  const next = () => {
    if (hasStarted || running >= limits.running) return
    for (const [key, line] of lines) {
      if (line.waiting.length === 0 || line.running >= limits.runningPerKey) continue
      lines.delete(key)
      lines.set(key, line)
      waiting--
      running++
      line.running++
      hasStarted = true
      setImmediate(() => {
        hasStarted = false
        next()
      })
      return line.waiting.shift()?.()
    }
  }

  /** Waits for a turn and returns the function that ends it. */
  async function enter(key: string): Promise<() => void> {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    if (waiting >= limits.waiting || line.waiting.length >= limits.waitingPerKey) {
      throw new Overloaded('too many tasks are waiting')
    }
    lines.set(key, line)
    await new Promise<void>(go => {
      line.waiting.push(go)
      waiting++
      next()
    })
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      running--
      line.running--
      if (line.running === 0 && line.waiting.length === 0) lines.delete(key)
      next()
    }
  }

  return {
    enter,
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const leave = await enter(key)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get size() {
      return { running, waiting, keys: lines.size }
    },
  }
}
