import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random, shuffle } from '../../../src/demo/random.ts'
import type { Cluster, Member } from './cluster.ts'

export interface Fault {
  name: string
  strike(cluster: Cluster, random: Random): Promise<void>
}

const killWeb: Fault = {
  name: 'kill -9 of a web',
  strike: ({ webs }, random) => pick(random, webs).kill(),
}

const killWorker: Fault = {
  name: 'kill -9 of a worker',
  strike: ({ workers }, random) => pick(random, workers).kill(),
}

const crash: Fault = {
  name: 'crash of PostgreSQL',
  strike: ({ database }) => database.crash(),
}

const promotion: Fault = {
  name: 'loss of the primary, promotion of the standby',
  strike: ({ database }) => database.failOver(3_000),
}

const fullDatabase: Fault = {
  name: 'full disk of PostgreSQL',
  async strike({ database: { disk } }) {
    await disk.fill()
    await sleep(6_000)
    await disk.free()
  },
}

const fullStorage: Fault = {
  name: 'full disk of the object storage',
  async strike({ uploads }) {
    await uploads.fill()
    await sleep(6_000)
    await uploads.free()
  },
}

const cutNetwork: Fault = {
  name: 'cut network of a web and a worker',
  async strike({ machine }) {
    await machine.unplug()
    await sleep(10_000)
    await machine.plug()
  },
}

/** As docs/operating.md says: one after the other, each when the one before is ready again. */
const upgrade: Fault = {
  name: 'rolling upgrade',
  async strike({ webs, workers }) {
    const inTurn = async (members: Member[]) => {
      for (const member of members) await member.upgrade()
    }
    await Promise.all([inTurn(webs), inTurn(workers)])
  },
}

const ONCE = [killWeb, killWorker, crash, promotion, fullDatabase, fullStorage, cutNetwork]
const KILLS = [killWeb, killWeb, killWorker, crash]

/** Each fault once, the upgrade twice, in the order of the seed, however long they take; then kills and crashes as long as there is time. */
export function* schedule(random: Random, hasTime: () => boolean): Generator<Fault> {
  yield* shuffle(random, [...ONCE, upgrade, upgrade])
  while (hasTime()) yield pick(random, KILLS)
}
