import { expect, it } from 'vitest'
import { loadDemo } from '../../src/demo/load.ts'
import { useExchange } from '../support/exchange.ts'

const exchange = useExchange()

it('the demo market has cooperations under way and ended, with histories that fit the rules', async () => {
  await loadDemo(exchange.db, () => {})
  const { rows } = await exchange.pool.query(`
    select c.state, c.awaited, d.id_status, d.agent_id = c.proposer_id as is_own_lead, l.agent_id = c.owner_id as is_own_listing,
      (select array_agg(kind order by id) from cooperation_entries e where e.cooperation_id = c.id) as kinds,
      (select bool_and(e.agent_id is null or e.agent_id in (c.proposer_id, c.owner_id)) from cooperation_entries e where e.cooperation_id = c.id) as is_theirs
    from cooperations c join leads d on d.id = c.lead_id join listings l on l.id = c.listing_id`)
  const states = rows.map(row => row.state)
  for (const state of ['proposed', 'accepted', 'showing', 'offer', 'closed', 'declined', 'expired', 'lost'])
    expect(states).toContain(state)
  for (const row of rows) {
    expect(row).toMatchObject({ is_own_lead: true, is_own_listing: true, is_theirs: true })
    expect(row.kinds[0]).toBe('propose')
    if (row.kinds.includes('showing')) expect(row.id_status).toBe('verified')
  }
})
