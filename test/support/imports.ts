import { DEFAULTS } from '../../src/config.ts'
import type { Target } from '../../src/imports/columns.ts'
import { chooseColumns, confirmImport, findOwn, startImport } from '../../src/imports/service.ts'
import { workOn } from '../../src/imports/work.ts'
import type { Exchange, TestAgent } from './exchange.ts'

export const work = ({ db, files }: Pick<Exchange, 'db' | 'files'>, id: string) =>
  workOn({ db, files, sliceMs: 600_000 }, id)

/** Sends the file and reads it. */
export async function upload(
  exchange: Exchange,
  agent: TestAgent,
  content: string | Buffer,
  name = 'inventario.csv',
) {
  const uploads = { files: exchange.files, quota: DEFAULTS.uploadQuota }
  const file = { fileName: name, bytes: Buffer.from(content) }
  const id = await startImport(exchange.db, uploads, agent.id, file, new Date())
  await work(exchange, id)
  return findOwn(exchange.db, agent.id, id)
}

/** The same, and checks it with the columns as they were recognized. */
export async function check(exchange: Exchange, agent: TestAgent, content: string | Buffer) {
  const { id, columns } = await upload(exchange, agent, content)
  const targets = columns.map(({ target }): Target | null => target)
  await chooseColumns(exchange.db, agent.id, id, targets)
  await work(exchange, id)
  return findOwn(exchange.db, agent.id, id)
}

/** The same, and writes it. */
export async function importAll(
  exchange: Exchange,
  agent: TestAgent,
  content: string | Buffer,
  publishes = true,
) {
  const { id } = await check(exchange, agent, content)
  await confirmImport(exchange.db, agent.id, id, { publishes, unpublishes: true })
  await work(exchange, id)
  return findOwn(exchange.db, agent.id, id)
}
