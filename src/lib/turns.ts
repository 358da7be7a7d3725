import { NotReady } from './problem.ts'

interface TurnLimits {
  /** Works that run at a time, in all and for one key. */
  running: number
  runningPerKey: number
  /** Works that wait, in all and for one key. */
  waiting: number
  waitingPerKey: number
}

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Lets a few works run at a time. The others wait in a line for each key, an account or an address, and the lines take
 * turns: whoever asks for much waits for themselves alone. Whoever finds the line full is told to come back.
 */
export function fairTurns(limits: TurnLimits) {
  /** Whose turn it was last stands last. */
  const lines = new Map<string, Line>()
  let running = 0
  let waiting = 0

  const next = () => {
    if (running >= limits.running) return
    for (const [key, line] of lines) {
      if (line.waiting.length === 0 || line.running >= limits.runningPerKey) continue
      lines.delete(key)
      lines.set(key, line)
      waiting--
      running++
      line.running++
      return line.waiting.shift()?.()
    }
  }

  /** Waits for a turn, and returns how to end it. */
  async function enter(key: string): Promise<() => void> {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    if (waiting >= limits.waiting || line.waiting.length >= limits.waitingPerKey) {
      throw new NotReady('too much is waiting already')
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
      // Not at once: what came in meanwhile, such as requests to the API, goes first.
      setImmediate(next)
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
