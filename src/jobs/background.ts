import type { FastifyBaseLogger } from 'fastify'
import type { CronItem, TaskList } from 'graphile-worker'
import type pg from 'pg'
import { deleteUnconfirmed } from '../agents/service.ts'
import { deleteExpiredInvitations } from '../agents/teams/service.ts'
import { announceDaily as announceAlerts, endUnused } from '../alerts/service.ts'
import { alertSource } from '../alerts/source.ts'
import type { Config } from '../config.ts'
import { expireUnanswered } from '../cooperation/service.ts'
import type { Backlog } from '../db/backlog.ts'
import { type Db, openDatabase, openPool } from '../db/database.ts'
import { examineChanged } from '../doctor/service.ts'
import { announceWeekly, deleteOldFigures } from '../figures/service.ts'
import type { Storage } from '../files/storage.ts'
import { removeUnused } from '../files/sweep.ts'
import { drawVariants, VARIANTS_TASK } from '../files/variants.ts'
import { deleteOldAnswers } from '../idempotency/service.ts'
import { openImportBox, readDueSources } from '../imports/connections.ts'
import { checkImages, type ImageCheck } from '../imports/image-check.ts'
import { ROWS_KEPT_DAYS } from '../imports/rules.ts'
import { deleteOldRows, IMAGES_TASK, IMPORT_TASK } from '../imports/service.ts'
import { workOn } from '../imports/work.ts'
import { deleteOldTasks } from '../leads/contacts/service.ts'
import { eraseOldIdentifications } from '../leads/identification/service.ts'
import { deleteOldUses, FORM_USES_DAYS } from '../leads/visitors/service.ts'
import { once } from '../lib/once.ts'
import { unsubscribeKeyOf } from '../lib/unsubscribe.ts'
import { expireUnconfirmed, remindUnconfirmed } from '../listings/reconfirmation.ts'
import { refreshSearchText, SEARCH_TEXT_TASK } from '../listings/search-text.ts'
import { announceDaily, deleteOldMatches } from '../needs/service.ts'
import { needSource } from '../needs/source.ts'
import { folderMailer, type Mailer, smtpMailer } from '../notices/mailers.ts'
import { sendNotice } from '../notices/service.ts'
import { deleteOldLetters } from '../outbox/letters.ts'
import { NOTICE_TASK, type NoticeRequest } from '../outbox/store.ts'
import { deleteOldSessions } from '../portal/sessions.ts'
import { fetchRate } from '../rates/service.ts'
import { MatchFollower } from '../search/matching/follower.ts'
import { deliveriesWaiting } from '../webhooks/backlog.ts'
import { startDispatcher } from '../webhooks/dispatch/dispatcher.ts'
import { openSecretBox, sharedKey } from '../webhooks/secrets.ts'
import { type Network, privateNetwork, publicNetwork } from '../webhooks/sender/network.ts'
import { type DeliveryStatus, sender } from '../webhooks/sender/sender.ts'
import { deleteExpiredSecrets, deleteOldDeliveries } from '../webhooks/store.ts'
import { type JobOutcome, jobsWaiting, type Running, startQueue } from './queue.ts'

/** Two connections listen, the others work. Separate from the API's pool, so that neither can starve the other. */
const CONNECTIONS = 8
/** Longer than the lifetime of a confirmation link. */
const UNCONFIRMED_DAYS = 7
const HOUR_MS = 3_600_000

interface BackgroundOptions {
  /** URL of the migrated database. */
  url: string
  config: Pick<
    Config,
    | 'publicUrl'
    | 'smtpUrl'
    | 'mailFrom'
    | 'mailDir'
    | 'reconfirmDays'
    | 'webhookAllowPrivate'
    | 'secret'
    | 'idRetentionDays'
    | 'cooperationDays'
    | 'eventRetentionDays'
  > &
    Partial<Pick<Config, 'exchangeRateUrl'>>
  logger: FastifyBaseLogger
  /** Uploaded files. */
  files: Storage
  /** Replaced in tests. */
  network?: Network
  mailer?: Mailer
  /** Notified of what was done. */
  observer?: BackgroundObserver | undefined
}

export interface BackgroundObserver {
  /** May wrap it. */
  mailer(mailer: Mailer): Mailer
  onJob(task: string, outcome: JobOutcome): void
  onDelivery(status: DeliveryStatus, seconds: number): void
}

export interface Background extends Running {
  readonly pool: pg.Pool
  backlogs(): Promise<Record<'deliveries' | 'jobs', Backlog>>
}

// Times are UTC: 4 a.m. in Mexico City. A process that was down at that time catches up within the period.
const CRON: CronItem[] = [
  { task: 'reconfirmation', match: '0 10 * * *', options: { backfillPeriod: 20 * HOUR_MS } },
  { task: 'clean-up', match: '30 10 * * *', options: { backfillPeriod: 20 * HOUR_MS } },
  { task: 'files', match: '50 10 * * *', options: { backfillPeriod: 20 * HOUR_MS } },
  // 8 a.m. in Mexico City.
  { task: 'needs', match: '0 14 * * *', options: { backfillPeriod: 9 * HOUR_MS } },
  { task: 'alerts', match: '0 14 * * *', options: { backfillPeriod: 9 * HOUR_MS } },
  { task: 'unused-alerts', match: '15 * * * *', options: { backfillPeriod: HOUR_MS } },
  { task: 'doctor', match: '* * * * *', options: { queueName: 'doctor' } },
  { task: 'figures', match: '30 14 * * 1', options: { backfillPeriod: 9 * HOUR_MS } },
  { task: 'cooperations', match: '5 * * * *', options: { backfillPeriod: HOUR_MS } },
  { task: 'import-sources', match: '20 * * * *', options: { backfillPeriod: HOUR_MS } },
  // 1:30 p.m. in Mexico City, when the Banco de México has published the rate of the day.
  { task: 'exchange-rate', match: '30 19 * * *', options: { backfillPeriod: 20 * HOUR_MS } },
  { task: 'identifications', match: '40 10 * * *', options: { backfillPeriod: 20 * HOUR_MS } },
]

/** All background work: webhooks, matches, mail, and daily tasks. */
export async function startBackground({
  url,
  config,
  logger,
  files,
  observer,
  ...given
}: BackgroundOptions): Promise<Background> {
  const pool = openPool(url, CONNECTIONS, { migrated: true })
  const db = openDatabase(pool)
  const { publicUrl, reconfirmDays, webhookAllowPrivate: allowPrivate } = config
  const ownMailer = given.mailer ?? mailerFor(config)
  const mailer = observer?.mailer(ownMailer) ?? ownMailer
  const unsubscribeKey = once(async () => unsubscribeKeyOf(await sharedKey(db, config.secret)))
  const noticeDeps = { db, mailer, logger, publicUrl, reconfirmDays, unsubscribeKey }
  const network = networkFor(config, logger, given.network)
  const tasks: TaskList = {
    [NOTICE_TASK]: (notice, { job }) => sendNotice(noticeDeps, notice as NoticeRequest, String(job.id)),
    [VARIANTS_TASK]: payload => drawVariants(db, files, payload as { id: string }),
    [SEARCH_TEXT_TASK]: payload => refreshSearchText(db, (payload as { agentId: string }).agentId),
    ...announcements(db, logger),
    ...outsideTasks({ db, files, network, config, logger }),
    async reconfirmation() {
      const expired = await expireUnconfirmed(db, reconfirmDays)
      const reminded = await remindUnconfirmed(db, reconfirmDays)
      logger.info({ expired, reminded }, 'reconfirmation')
    },
    'clean-up': () => cleanUp(db, config.eventRetentionDays),
    async files() {
      const swept = await removeUnused(db, files, new Date())
      if ('removed' in swept) logger.info(swept, 'unreferenced files removed')
      else logger.warn(swept, 'most files are not referenced by this database: nothing was removed')
    },
    async cooperations() {
      const expired = await expireUnanswered(db, config.cooperationDays, new Date())
      if (expired > 0) logger.info({ expired }, 'cooperations expired')
    },
    async doctor() {
      await examineChanged(db, new Date())
    },
    async identifications() {
      const erased = await eraseOldIdentifications(db, config.idRetentionDays, new Date())
      logger.info({ erased }, 'identifications erased')
    },
  }
  try {
    const box = await openSecretBox(db, config.secret)
    const queue = await startQueue({ pool, logger, tasks, cron: CRON, onJob: observer?.onJob })
    const send = sender({ network, policy: { allowPrivate, publicUrl } })
    const dispatcher = startDispatcher({ pool, db, send, box, logger, onDelivery: observer?.onDelivery })
    const matching = new MatchFollower({ url, logger, sources: [needSource, alertSource] })
    return {
      pool,
      get condition() {
        return queue.condition
      },
      async backlogs() {
        return { deliveries: await deliveriesWaiting(db), jobs: await jobsWaiting(db) }
      },
      async stop() {
        await Promise.all([dispatcher.stop(), queue.stop(), matching.stop()])
        mailer.close()
        await pool.end()
      },
    }
  } catch (error) {
    mailer.close()
    await pool.end()
    throw error
  }
}

type Settings = BackgroundOptions['config']

const mailerFor = ({ smtpUrl, mailFrom, mailDir }: Settings): Mailer =>
  smtpUrl ? smtpMailer(smtpUrl, mailFrom) : folderMailer(mailDir, mailFrom)

function networkFor(
  { webhookAllowPrivate: allowPrivate }: Settings,
  logger: FastifyBaseLogger,
  given: Network | undefined,
): Network {
  if (allowPrivate) {
    logger.warn(
      'LONJA_WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach private addresses. For development only.',
    )
  }
  return given ?? (allowPrivate ? privateNetwork() : publicNetwork())
}

/** Mail about what was found, seen or not used. */
function announcements(db: Db, logger: FastifyBaseLogger): TaskList {
  return {
    async needs() {
      const mails = await announceDaily(db, new Date())
      if (mails > 0) logger.info({ mails }, 'daily matches announced')
    },
    async figures() {
      const mails = await announceWeekly(db, new Date())
      if (mails > 0) logger.info({ mails }, 'weekly figures')
    },
    async alerts() {
      const mails = await announceAlerts(db)
      if (mails > 0) logger.info({ mails }, 'daily alerts')
    },
    async 'unused-alerts'() {
      const { warned, ended } = await endUnused(db)
      if (warned + ended > 0) logger.info({ warned, ended }, 'unused alerts')
    },
  }
}

interface ImportParts extends Pick<BackgroundOptions, 'config' | 'files' | 'logger'> {
  db: Db
  network: Network
}

function outsideTasks({ db, files, network, config, logger }: ImportParts): TaskList {
  const { publicUrl, webhookAllowPrivate: allowPrivate, secret } = config
  const sources = {
    reach: { network, policy: { allowPrivate, publicUrl } },
    openBox: once(async () => openImportBox(await sharedKey(db, secret))),
  }
  return {
    [IMPORT_TASK]: payload => workOn({ db, files, sources }, (payload as { id: string }).id),
    [IMAGES_TASK]: payload => checkImages(db, sources.reach, payload as ImageCheck),
    async 'exchange-rate'() {
      if (!config.exchangeRateUrl) return
      logger.info(await fetchRate(db, sources.reach, config.exchangeRateUrl), 'exchange rate')
    },
    async 'import-sources'() {
      const started = await readDueSources(db, new Date())
      if (started > 0) logger.info({ started }, 'connections read')
    },
  }
}

/** Deletes what nobody needs any more. */
async function cleanUp(db: Db, eventRetentionDays: number): Promise<void> {
  await deleteOldDeliveries(db, eventRetentionDays)
  await deleteExpiredSecrets(db)
  await deleteUnconfirmed(db, UNCONFIRMED_DAYS)
  await deleteOldSessions(db, new Date())
  await deleteOldUses(db, FORM_USES_DAYS)
  await deleteOldTasks(db, new Date())
  await deleteExpiredInvitations(db)
  await deleteOldLetters(db, new Date())
  await deleteOldAnswers(db)
  await deleteOldFigures(db)
  await deleteOldMatches(db)
  await deleteOldRows(db, new Date(Date.now() - ROWS_KEPT_DAYS * 24 * HOUR_MS))
}
