import { findAgentByEmail } from '../agents/service.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { EVENTS, USUAL_EVENTS } from '../outbox/store.ts'
import { openSecretBox, replaceSecret, requireSameSecret } from '../webhooks/secrets.ts'
import { privateNetwork, publicNetwork } from '../webhooks/sender/network.ts'
import { sender } from '../webhooks/sender/sender.ts'
import type { UrlPolicy } from '../webhooks/sender/url.ts'
import * as service from '../webhooks/service.ts'
import { type Command, type OnDatabase, optional, required, table } from './command.ts'
import { startReceiver } from './webhook-receiver.ts'

/** `lonja webhook …`: the portal's webhook screen, for operators and scripts. */
export const webhookCommands = (onDatabase: OnDatabase, print: (line: string) => void) => ({
  ...subscriptionCommands(onDatabase),
  ...stateCommands(onDatabase),
  ...deliveryCommands(onDatabase),
  ...receiverCommands(print),
})

/** For an operator who lost the secret, or sets one for the first time. */
export const secretCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'secret replace': {
    summary:
      'Accept the current LONJA_SECRET in place of the previous one. Anything encrypted with the old one is lost: webhooks are paused until their agents renew the secrets, visitors have to submit their documents again, feeds and links in mail need to be renewed.',
    async run() {
      const paused = await onDatabase((db, config) => replaceSecret(db, config.secret))
      return { data: { paused }, text: `Replaced. Webhooks paused: ${paused}. Restart every process.` }
    },
  },
})

const subscriptionCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'webhook add': {
    summary: `Send an agent's events to a receiver; the secret is shown only once. --events: all, or some of ${EVENTS.join(',')}; without it, those of leads and listings.`,
    options: { agent: required('EMAIL'), url: required('URL'), events: optional('EVENTS') },
    async run({ agent, url, events }) {
      const chosen = events === undefined ? USUAL_EVENTS : eventsOf(events)
      const wanted = { url: url as string, events: chosen }
      const { webhook, secret } = await onDatabase(async (db, config) => {
        await requireSameSecret(db, config.secret)
        const box = await openSecretBox(db, config.secret)
        const { id } = await findAgentByEmail(db, agent as string)
        return service.addWebhook({ db, box, ...outside(config) }, id, wanted)
      })
      return {
        data: { ...webhook, secret },
        text: `${webhook.id}\n${secret}\nSave the secret now: it will not be shown again.`,
      }
    },
  },
  'webhook list': {
    summary: 'List an agent’s webhooks with their last status.',
    options: { agent: required('EMAIL') },
    async run({ agent }) {
      const webhooks = await onDatabase(async db =>
        service.listWebhooks(db, (await findAgentByEmail(db, agent as string)).id),
      )
      const rows = webhooks.map(({ id, active, last_status, last_at, url, events }) => ({
        id,
        state: active ? 'active' : 'paused',
        last_status,
        last_at,
        url,
        events,
      }))
      return { data: webhooks, text: table(rows) }
    },
  },
})

const stateCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'webhook pause': {
    summary: 'Pause a webhook; waiting deliveries are dropped.',
    argument: 'ID',
    async run({ argument }) {
      const data = await onWebhook(onDatabase, argument, (db, agentId) =>
        service.pauseWebhook(db, agentId, argument),
      )
      return { data, text: `${argument} is paused.` }
    },
  },
  'webhook resume': {
    summary: 'Resume a webhook, starting with the next event.',
    argument: 'ID',
    async run({ argument }) {
      const data = await onWebhook(onDatabase, argument, (db, agentId) =>
        service.resumeWebhook(db, agentId, argument),
      )
      return { data, text: `${argument} is active.` }
    },
  },
  'webhook remove': {
    summary: 'Delete a webhook and its log.',
    argument: 'ID',
    async run({ argument }) {
      await onWebhook(onDatabase, argument, (db, agentId) => service.removeWebhook(db, agentId, argument))
      return { data: { id: argument, removed: true }, text: `${argument} is removed.` }
    },
  },
})

const deliveryCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'webhook test': {
    summary: 'Send a test lead.created now and show the outcome.',
    argument: 'ID',
    async run({ argument }) {
      const outcome = await onWebhook(onDatabase, argument, async (db, agentId, config) => {
        await requireSameSecret(db, config.secret)
        const box = await openSecretBox(db, config.secret)
        return service.testWebhook({ db, box, send: sender(outside(config)) }, agentId, argument)
      })
      const data = { status: outcome.status, code: outcome.code, duration_ms: outcome.durationMs }
      return {
        data,
        text: `${data.status}${data.code === null ? '' : ` (${data.code})`}, ${data.duration_ms} ms`,
      }
    },
  },
  'webhook deliveries': {
    summary: 'List the latest deliveries, newest first.',
    argument: 'ID',
    async run({ argument }) {
      const data = await onWebhook(onDatabase, argument, (db, agentId) =>
        service.listDeliveries(db, agentId, argument),
      )
      const rows = data.map(({ attempted_at, event, status, code, duration_ms, id }) => ({
        attempted_at,
        event,
        status: status ?? 'in flight',
        code,
        ms: duration_ms,
        id,
      }))
      return { data, text: table(rows) }
    },
  },
})

const receiverCommands = (print: (line: string) => void): Record<string, Command> => ({
  'webhook listen': {
    summary: 'Run a local receiver that prints each delivery and checks its signature. Ctrl-C stops it.',
    options: { port: optional('PORT'), secret: optional('SECRET') },
    isEndless: true,
    async run({ port = '4000', secret }) {
      if (!/^\d{1,5}$/.test(port))
        throw new Problem('validation', { issues: [issue('port', 'not_a_number')] })
      const server = await startReceiver({ port: Number(port), secret }, print)
      const { port: bound } = server.address() as { port: number }
      print(`Waiting for deliveries at http://127.0.0.1:${bound}/ …`)
      return undefined
    },
  },
})

/** Runs `work` as the webhook's owner. */
const onWebhook = <T>(
  onDatabase: OnDatabase,
  id: string,
  work: (db: Db, agentId: string, config: Config) => Promise<T>,
) => onDatabase(async (db, config) => work(db, (await service.findWebhook(db, id)).agent_id, config))

const eventsOf = (text: string) => (text === 'all' ? EVENTS : text.split(',').map(name => name.trim()))

function outside({ webhookAllowPrivate: allowPrivate, publicUrl }: Config) {
  const policy: UrlPolicy = { allowPrivate, publicUrl }
  return { policy, network: allowPrivate ? privateNetwork() : publicNetwork() }
}
