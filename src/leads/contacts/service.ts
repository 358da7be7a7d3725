import { atomically, type Db, type Sql, type Tx } from '../../db/database.ts'
import { type Field, filled, type Patch, type Reading } from '../../lib/fields.ts'
import { issue } from '../../lib/issue.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { DAY_MS } from '../../lib/time.ts'
import { requestNotice } from '../../outbox/store.ts'
import { instant } from '../details.ts'
import { findOwnLead, requireUnerased } from '../service.ts'
import * as store from './store.ts'

export {
  type ContactLead,
  type ContactRow,
  countOpen as countTasks,
  listContacts,
  listLeadsOfPerson,
  listNotesOf,
  listOpenTasks,
  listTasksOf,
  type TaskRow,
} from './store.ts'

/** Open tasks of an agent: more than anyone works off, and each is a mail. */
const MAX_OPEN_TASKS = 500
const MAX_AHEAD_DAYS = 731
const DONE_TASKS_DAYS = 365
export const MAX_TASK = 300

const dueAt: Field<Date> = {
  ...instant,
  read(value, fail) {
    const at = instant.read(value, fail)
    return at && at.getTime() > Date.now() + MAX_AHEAD_DAYS * DAY_MS
      ? void fail('too_far_ahead', { days: MAX_AHEAD_DAYS })
      : at
  },
}
export const dateFields = { due_at: dueAt }
export const taskFields = { task: filled({ max: MAX_TASK }), ...dateFields }

type NewTask = Patch<typeof taskFields>

/** About the person of that lead. Its reminder is requested in the same transaction. */
export async function addTask(
  db: Db,
  agentId: string,
  leadId: string,
  { value: { task, due_at }, issues }: Reading<NewTask>,
): Promise<void> {
  refuseIfAny(issues)
  await db.transaction().execute(async tx => {
    const lead = await findOwnLead(tx, agentId, leadId)
    if (!lead) throw new Problem('not_found')
    await requireUnerased(tx, lead.id)
    if ((await store.countOpen(tx, agentId)) >= MAX_OPEN_TASKS)
      refuseIfAny([issue('', 'too_many_tasks', { max: MAX_OPEN_TASKS })])
    const due = due_at as Date
    const { id } = await store.insertTask(tx, { lead_id: lead.id, text: task as string, due_at: due })
    await requestReminder(tx, agentId, id, due)
  })
}

export async function postponeTask(
  db: Db,
  agentId: string,
  id: string,
  { value, issues }: Reading<Patch<typeof dateFields>>,
): Promise<void> {
  await onOwnTask(db, agentId, id, async tx => {
    refuseIfAny(issues)
    const due = value.due_at as Date
    await store.updateTask(tx, id, { due_at: due, reminded_at: null })
    await requestReminder(tx, agentId, id, due)
  })
}

/** Done, or open again. */
export const finishTask = (db: Db, agentId: string, id: string, doneAt: Date | null) =>
  onOwnTask(db, agentId, id, tx => store.updateTask(tx, id, { done_at: doneAt }))

export const removeTask = (db: Db, agentId: string, id: string) =>
  onOwnTask(db, agentId, id, tx => store.deleteTask(tx, id))

/** For its mail: undefined once done, removed, postponed, reminded of, or the lead is somebody else's. */
export async function findDueTask(db: Sql, agentId: string, id: string, dueAt: string) {
  const task = await store.findOwnTask(db, agentId, id)
  const isDue = task && !task.done_at && !task.reminded_at && task.due_at.toISOString() === dueAt
  return isDue ? task : undefined
}

export const markReminded = (db: Sql, id: string) => store.updateTask(db, id, { reminded_at: new Date() })

export const deleteOldTasks = (db: Sql, now: Date) =>
  store.deleteDone(db, new Date(now.getTime() - DONE_TASKS_DAYS * DAY_MS))

/** One mail for each date of a task; asked for again, it goes to whoever has the lead by then. */
function requestReminder(tx: Tx, agentId: string, id: string, dueAt: Date): Promise<void> {
  const due = dueAt.toISOString()
  return requestNotice(
    tx,
    { kind: 'task', agentId, ids: [id, due] },
    { key: `task ${id} ${due}`, notBefore: dueAt },
  )
}

/** The lead has another agent now. */
export async function renewReminders(tx: Tx, leadId: string, agentId: string): Promise<void> {
  for (const { id, due_at, done_at, reminded_at } of await store.listTasksOf(tx, [leadId]))
    if (!done_at && !reminded_at) await requestReminder(tx, agentId, id, due_at)
}

function onOwnTask(db: Sql, agentId: string, id: string, work: (tx: Tx) => Promise<void>) {
  return atomically(db, async tx => {
    if (!(await store.findOwnTask(tx, agentId, id))) throw new Problem('not_found')
    await work(tx)
  })
}
