import { nested, type Sql, violates } from '../db/database.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { changeStatus, type Edit, editLocked, externalIdTaken, insertListing } from './service.ts'
import { findListing, type ListingRow, lockListing } from './store.ts'

interface Put {
  /** As it was; undefined if it is new. */
  before?: ListingRow
  row: ListingRow
}

/** Creates the agent's listing of that name, or changes it. The same call again changes nothing. */
export async function putListing(db: Sql, agentId: string, externalId: string, edit: Edit): Promise<Put> {
  const { value, issues } = edit.sent
  const sent = {
    value: { ...value, external_id: externalId },
    issues: [...issues, ...nameIssues(externalId, value.external_id)],
  }
  for (;;) {
    try {
      return await nested(db, async tx => {
        const before = await lockListing(tx, { agentId, externalId })
        if (before?.imported) throw externalIdTaken(before)
        edit.check?.(before?.version)
        return before
          ? { before, row: await editLocked(tx, before, { ...edit, sent }) }
          : { row: await insertListing(tx, agentId, { ...edit, sent }) }
      })
    } catch (error) {
      // Created by another request since it was looked for: now it can be changed. Or a slug was drawn twice.
      if (!violates(error, 'listings_external_id') && !violates(error, 'listings_slug_key')) throw error
    }
  }
}

const TRANSITIONS = { published: 'publish', draft: 'unpublish', withdrawn: 'withdraw' } as const

/** One item of a batch: its fields and its status, in one transaction. A status it already has is left alone. */
export function putItem(
  db: Sql,
  agentId: string,
  externalId: string,
  edit: Edit,
  status: keyof typeof TRANSITIONS | undefined,
) {
  return nested(db, async tx => {
    const { before, row } = await putListing(tx, agentId, externalId, edit)
    if (status === undefined || status === row.status) return { result: resultOf(before, row), row }
    await changeStatus(tx, agentId, row.id, TRANSITIONS[status], edit)
    const moved = await findListing(tx, row.id)
    return { result: resultOf(before, moved), row: moved }
  })
}

const resultOf = (before: ListingRow | undefined, after: ListingRow): 'created' | 'changed' | 'unchanged' => {
  if (!before) return 'created'
  return before.version === after.version ? 'unchanged' : 'changed'
}

/** Renaming would make the same call create another listing the next time. */
const nameIssues = (externalId: string, sent: string | null | undefined): Issue[] =>
  sent === undefined || sent === externalId ? [] : [issue('external_id', 'id_mismatch')]
