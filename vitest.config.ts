import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    // Files share what they import: each has its own database, and nothing else outlives a file.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the two cores of a small machine: some tests wait on purpose, for deadlines and processes.
    maxWorkers: 3,
  },
})
