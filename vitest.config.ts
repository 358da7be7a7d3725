import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    // Files share what they import: each has its own database, and nothing else outlives a file.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two: one database server is shared by all files, and small machines run out of cores first.
    maxWorkers: 2,
  },
})
