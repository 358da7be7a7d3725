import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

const DAYS = 45

/** What visitors did with the demo agent's listings: more on weekends and when a listing is new, drawn from its id and the day. */
export async function insertViews(tx: Tx, now: Date): Promise<void> {
  await sql`
    insert into listing_figures (listing_id, day, source, views, contacts, favorites, shares, appearances)
    select id, day, source, views, (draw < 15)::int, (draw % 10 < 2)::int, (draw % 20 < 1)::int,
      views * (8 + draw % 9)
    from (
      select l.id, to_char(d.day, 'YYYY-MM-DD') as day, s.source, draw.draw,
        floor(s.most * (0.25 + draw.draw / 1000.0)
          * (case when extract(isodow from d.day) > 5 then 1.6 else 1 end)
          * (case when d.day < l.published_at + interval '10 days' then 1.8 else 1 end))::int as views
      from listings l
      cross join (select ${now}::timestamptz - n * interval '1 day' as day from generate_series(0, ${DAYS - 1}::int) n) d
      cross join (values ('site', 4), ('search', 3), ('social', 2), ('other', 1)) as s (source, most)
      cross join lateral (select abs(hashtext(l.id::text || d.day::date || s.source)) % 1000 as draw) draw
      where l.agent_id = ${demoId('agent', DEMO_AGENT)} and l.published_at <= d.day
    ) drawn where views > 0`.execute(tx)
}
