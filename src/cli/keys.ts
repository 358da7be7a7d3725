import { issueKey, listKeys, revokeKey } from '../keys/service.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { type Command, type OnDatabase, required, table } from './command.ts'

export const keyCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'key create': {
    summary: 'Create an API key, shown only once. --scopes is read, read,write or partner.',
    options: { agent: required('EMAIL'), label: required('TEXT'), scopes: required('SCOPES') },
    async run({ agent, label, scopes }) {
      const data = await onDatabase(db =>
        issueKey(db, { agentEmail: agent as string, label: label as string, scopes: scopes as string }),
      )
      return { data, text: `${data.key}\nSave it now: it will not be shown again.` }
    },
  },
  'key list': {
    summary: 'List all keys, without their secrets.',
    async run() {
      const keys = await onDatabase(listKeys)
      const rows = keys.map(({ prefix, agent, scopes, label, last_used_at, revoked_at }) => ({
        prefix,
        agent,
        scopes,
        label,
        used: last_used_at ? `used ${last_used_at.toISOString()}` : 'never used',
        state: revoked_at ? 'revoked' : '',
      }))
      return { data: keys, text: table(rows) }
    },
  },
  'key revoke': {
    summary: 'Revoke a key immediately. PREFIX is the eight characters after svc_, or the whole key.',
    argument: 'PREFIX',
    async run({ argument }) {
      const prefix = prefixIn(argument)
      await onDatabase(db => revokeKey(db, prefix))
      return { data: { prefix, revoked: true }, text: `${prefix} is revoked.` }
    },
  },
})

/** The prefix of a prefix or a whole key. Other input may still be a secret and is not repeated. */
function prefixIn(text: string): string {
  const [, ofKey, alone] = /^(?:svc_([0-9A-Za-z]{8})_[0-9A-Za-z]*|([0-9A-Za-z]{8}))$/.exec(text) ?? []
  const prefix = ofKey ?? alone
  if (prefix) return prefix
  throw new Problem('validation', { issues: [issue('PREFIX', 'not_a_key_prefix')] })
}
