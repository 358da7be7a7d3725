import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldTasks } from '../../src/leads/contacts/service.ts'
import { exportPerson } from '../../src/leads/persons.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()
let agent: TestAgent
let visitor: Visitor
beforeAll(async () => {
  ;({ agent, visitor } = await signedInAgent(exchange))
})

const lead = async (person: object, key = agent.key): Promise<string> =>
  (await exchange.post('/leads', key, person)).body.id

const addTask = async (id: string, task: string, due: string) => {
  await visitor.open(`/portal/contacts/${id}`)
  return visitor.submit(`/portal/contacts/${visitor.path.split('/').pop()}/tasks`, { task, due_at: due })
}

const tasks = () => exchange.db.selectFrom('lead_tasks').selectAll().orderBy('created_at').execute()

describe('contacts', () => {
  it('are the people behind an agent’s leads, by mailbox and by a phone alone; never those of another agent', async () => {
    const other = await exchange.agent()
    await lead({ name: 'Eva Ruiz', email: 'eva@example.com' })
    await lead({ name: 'Eva R.', email: 'EVA+casa@example.com', phone: '33 1234 5678' })
    const last = await lead({ name: 'Eva', phone: '+52 33 1234 5678', message: 'Otra vez' })
    await lead({ name: 'Luis', phone: '55 1111 2222' })
    await lead({ name: 'Eva ajena', email: 'eva@example.com' }, other.key)
    await visitor.open('/portal/contacts')
    expect(visitor.text).toContain('3 prospectos')
    expect(visitor.html.match(/href="\/portal\/contacts\//g)).toHaveLength(2)
    expect(visitor.text).not.toContain('ajena')
    await visitor.open('/portal/contacts?q=5678')
    expect([visitor.text.includes('33 1234 5678'), visitor.text.includes('Luis')]).toEqual([true, false])
    await visitor.open(`/portal/contacts/${last}`)
    expect(visitor.html.match(/href="\/portal\/leads\/[0-9a-f-]{36}"/g)).toHaveLength(3)
    expect(visitor.html).toContain('mailto:')
  })

  it('have notes and tasks; a task due is mailed once, and not after it is done, postponed or removed', async () => {
    const id = await lead({ name: 'Rosa Sol', email: 'rosa@example.com', phone: '33 5555 6666' })
    await takeMail(exchange)
    await visitor.open(`/portal/contacts/${id}`)
    await visitor.submit(`/portal/contacts/${id}/notes`, { note: 'Prefiere las mañanas' })
    expect(visitor.text).toContain('Prefiere las mañanas')
    await addTask(id, 'Llamar por la oferta', '2026-01-05T10:30')
    const { rows } = await exchange.pool.query('select run_at from graphile_worker._private_jobs')
    expect(rows).toEqual([{ run_at: new Date('2026-01-05T16:30:00Z') }])
    const [mail, ...more] = await takeMail(exchange)
    expect([mail?.to.address, more]).toEqual([agent.email, []])
    expect(mail?.text).toContain('Llamar por la oferta')
    expect(mail?.text).toContain('rosa@example.com')
    const [task] = await tasks()
    expect(task?.reminded_at).not.toBeNull()

    const change = (step: string, fields = {}) => visitor.submit(`/portal/tasks/${task?.id}/${step}`, fields)
    await visitor.open('/portal/tasks')
    await change('postpone', { due_at: '2020-01-05T10:30' })
    await change('postpone', { due_at: '2020-01-06T10:30' })
    expect(await takeMail(exchange)).toHaveLength(1)
    await visitor.open('/portal')
    expect(visitor.text).toContain('1 Tareas vencidas')
    await visitor.open('/portal/tasks')
    await change('postpone', { due_at: '2020-01-07T10:30' })
    await visitor.open('/portal/tasks')
    await change('done')
    expect(await takeMail(exchange)).toEqual([])
    await visitor.open('/portal')
    expect(visitor.text).toContain('0 Tareas vencidas')
    await visitor.open(`/portal/contacts/${id}`)
    await change('done', { open: 'on' })
    await visitor.open(`/portal/contacts/${id}`)
    await change('remove')
    expect(await tasks()).toEqual([])
  })

  it('reject a task without a text or a date, and one too far ahead', async () => {
    const id = await lead({ name: 'Ana', phone: '33 7777 8888' })
    for (const [task, due] of [
      ['', '2026-01-05'],
      ['Llamar', ''],
      ['Llamar', 'mañana'],
      ['Llamar', '2199-01-01T10:00'],
      ['x'.repeat(301), '2026-01-05T10:00'],
    ] as const) {
      await addTask(id, task, due)
      expect([task, due, visitor.status]).toEqual([task, due, 422])
    }
    expect(await tasks()).toEqual([])
  })

  it('name nobody in a reminder that could not be found again to erase it', async () => {
    const id = await lead({ name: 'Sin Datos' })
    await takeMail(exchange)
    await addTask(id, 'Buscar a Sin Datos', '2026-01-05T10:00')
    const [mail] = await takeMail(exchange)
    expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain('Sin Datos')
    await exchange.db.deleteFrom('lead_tasks').execute()
  })

  it('end with the person’s data: notes, tasks and reminders are exported, then erased', async () => {
    const id = await lead({ name: 'Iris Paz', email: 'iris@example.com' })
    await addTask(id, 'Enviarle el contrato de Iris', '2026-01-05T10:00')
    expect(JSON.stringify(await exportPerson(exchange.db, 'iris@example.com'))).toContain('contrato de Iris')
    await takeMailLater()
    await visitor.open(`/portal/leads/${id}/erase`)
    await visitor.submit(`/portal/leads/${id}/erase`, { sure: 'on' })
    expect(await tasks()).toEqual([])
    expect((await visitor.open(`/portal/contacts/${id}`)).status).toBe(404)
    expect((await visitor.open('/portal/contacts?q=iris')).text).not.toContain('Iris Paz')
    await visitor.open(`/portal/leads/${id}`)
    expect(await takeMail(exchange)).toEqual([])
  })

  it('keep a finished task for a year', async () => {
    const id = await lead({ name: 'Noé', phone: '33 9999 0000' })
    await addTask(id, 'Terminada', '2026-01-05')
    await exchange.pool.query(`update lead_tasks set done_at = '2026-01-06'`)
    await deleteOldTasks(exchange.db, new Date('2027-01-05T00:00:00Z'))
    expect(await tasks()).toHaveLength(1)
    await deleteOldTasks(exchange.db, new Date('2027-01-07T00:00:00Z'))
    expect(await tasks()).toEqual([])
  })
})

/** Only reminders stay in the queue. */
const takeMailLater = () =>
  exchange.pool.query(`delete from graphile_worker._private_jobs where payload->>'kind' <> 'task'`)
