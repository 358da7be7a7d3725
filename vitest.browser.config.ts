import { defineConfig } from 'vitest/config'

/** Walks in a real browser; `npm test` does without. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.walk.ts'],
    globalSetup: ['test/support/postgres.ts'],
    // As in vitest.config.ts: otherwise each file would load the whole application again.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
})
