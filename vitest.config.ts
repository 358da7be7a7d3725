import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start processes, wait on purpose or read the whole site: begun last, they would run alone at the end. */
const LONG = /test\/(process|faults|site|search)\//
/** Five minutes that need little of a processor: begun first, so that the others run beside it. */
const LONGEST = /test\/faults\/cluster/

/**
 * Processes that are killed and started again, walks over everything, attacks, random markets against SQL, and the longest
 * of the others, so that `npm test` takes less than five minutes on two cores:
 * `npm run test:thorough` runs them, as CI does.
 */
const THOROUGH_ONLY = [
  'test/api/foreign-tools.test.ts',
  'test/api/hostile.test.ts',
  'test/api/lenient.test.ts',
  'test/clients/**/*.test.ts',
  'test/collections/page.test.ts',
  'test/collections/portal.test.ts',
  'test/cooperation/access.test.ts',
  'test/cooperation/privacy.test.ts',
  'test/demo/close.test.ts',
  'test/docs/api-guide.test.ts',
  'test/doctor/doctor.test.ts',
  'test/faults/**/*.test.ts',
  'test/feeds/streaming.test.ts',
  'test/files/images.test.ts',
  'test/files/uploads.test.ts',
  'test/hostile/**/*.test.ts',
  'test/http/load.test.ts',
  'test/imports/imports.test.ts',
  'test/imports/memory.test.ts',
  'test/imports/sources.test.ts',
  'test/leads/identification-limits.test.ts',
  'test/leads/secrecy.test.ts',
  'test/leads/spam.test.ts',
  'test/market/commission.test.ts',
  'test/metrics/operating.test.ts',
  'test/notices/background.test.ts',
  'test/notices/letters.test.ts',
  'test/portal/access.test.ts',
  'test/portal/listings-form.test.ts',
  'test/portal/listings-photos.test.ts',
  'test/portal/refusals.test.ts',
  'test/portal/teams.test.ts',
  'test/portal/webhook-log.test.ts',
  'test/process/{cli,embedded,migrate,processes,server}.test.ts',
  'test/search/*.model.test.ts',
  'test/search/engine-follow.test.ts',
  'test/search/engine-large.test.ts',
  'test/search/quality/**/*.test.ts',
  'test/search/saved-index.test.ts',
  'test/search/similar.test.ts',
  'test/site/crawl.test.ts',
  'test/site/html.test.ts',
  'test/sync/examples.test.ts',
  'test/sync/follower.model.test.ts',
  'test/sync/version.test.ts',
  'test/sync/wait.test.ts',
  'test/ui/badges.test.ts',
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.test(moduleId) ? 0 : LONG.test(moduleId) ? 1 : 2
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    include: process.env.THOROUGH ? THOROUGH_ONLY : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.THOROUGH ? [] : THOROUGH_ONLY)],
    globalSetup: ['test/support/postgres.ts'],
    // Files share what they import: each has its own database, and nothing else outlives a file.
    isolate: false,
    // Thorough runs read every page.
    testTimeout: process.env.THOROUGH ? 300_000 : 30_000,
    hookTimeout: 60_000,
    // One more than the two cores of a small machine: some tests wait on purpose, for deadlines and processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
})
