import { expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'

const exchange = useExchange()

it('tries another slug when the first ones are taken', async () => {
  const agent = await exchange.agent()
  const { slug: taken } = await exchange.listing(agent)
  // A sequence also counts attempts that were rolled back.
  await exchange.pool.query(`
    create sequence tries;
    create function collide() returns trigger language plpgsql as $$
    begin
      if nextval('tries') <= 2 then new.slug := '${taken}'; end if;
      return new;
    end $$;
    create trigger collide before insert on listings for each row execute function collide()`)
  const { slug } = await exchange.listing(agent, { title: 'Casa gemela' })
  expect(slug).toMatch(/^casa-gemela-/)
  const { rows } = await exchange.pool.query(
    'select last_value::int as tries, (select count(*)::int from listings) as listings from tries',
  )
  expect(rows).toEqual([{ tries: 3, listings: 2 }])
})
