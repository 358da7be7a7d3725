import { defineConfig } from 'vitest/config'

/** Walks in a real browser; `npm test` does without. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.walk.ts'],
    globalSetup: ['test/support/postgres.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
})
