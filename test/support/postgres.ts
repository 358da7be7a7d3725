import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openPool } from '../../src/db/database.ts'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export const TEMPLATE = 'lonja_template'

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One PostgreSQL for the whole run, with a migrated template from which each test file copies its own database. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'lonja-test-'))
  const postgres = await openEmbeddedPostgres({ dataDir, durable: false, role: 'server' })
  const admin = openPool(postgres.url, 1)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const pool = openPool(databaseUrl(postgres.url, TEMPLATE), 1)
  await migrate(pool)
  await pool.end()
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
