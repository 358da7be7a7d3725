import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS } from '../support/walk.ts'

const walk = useWalk()

describe.each(WAYS.filter(way => way.scripts))('$name', way => {
  it('favorites are kept in the browser, shared as a link, compared, and show a lower price', async () => {
    const { exchange } = walk
    const agent = await exchange.agent({ password: PASSWORD })
    const city = `Ciudad ${way.width}`
    const [one, two] = [await exchange.published(agent, { city }), await exchange.published(agent, { city })]
    await exchange.search.refresh()
    const visitor = await walk.visit(way)
    const { page } = visitor
    // A headless browser says so, and is not counted.
    await visitor.context.setExtraHTTPHeaders({
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    })
    await visitor.open(`/propiedades?city=${encodeURIComponent(city)}`)
    const heart = page.locator(`[data-listing="${one.slug}"]`).getByRole('button', { name: /^Favorito/ })
    expect(await heart.getAttribute('aria-pressed')).toBe('false')
    await heart.click()
    expect(await heart.getAttribute('aria-pressed')).toBe('true')
    expect(await page.locator('[data-favorites] [data-count]').textContent()).toBe('1')
    await visitor.open(`/propiedades/${two.slug}`)
    await page
      .locator('.listing-actions')
      .getByRole('button', { name: /^Favorito/ })
      .click()
    expect(await walk.visit(way).then(other => other.context.cookies())).toEqual([])

    await exchange.put(`/properties/${one.id}`, agent.key, { sale_price: 3_900_000 })
    await page.locator('[data-favorites]').click()
    await page.waitForURL(/\/favoritos\?ids=/)
    await visitor.check()
    expect(await page.locator('article[data-price]').count()).toBe(3)
    expect(
      await page.locator(`article[data-listing="${one.slug}"] .lowered`).first().textContent(),
    ).toContain('Bajó de precio')
    expect(await page.locator(`article[data-listing="${two.slug}"] .lowered`).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Vistas recientemente' }).count()).toBe(1)

    // What the browser reported is among the agent's figures.
    await exchange.app.counter.flush()
    const portal = await walk.visit(way)
    await portal.signIn(agent.email, PASSWORD)
    await portal.open('/portal/figures')
    const { rows } = await exchange.pool.query(
      'select sum(favorites)::int as favorites from listing_figures f join listings l on l.id = f.listing_id where l.agent_id = $1',
      [agent.id],
    )
    expect(rows).toEqual([{ favorites: 2 }])

    // Somebody else opens the link, without scripts.
    const link = new URL(await page.getByLabel('Comparte esta lista:').inputValue())
    const friend = await walk.visit({ ...way, scripts: false })
    await friend.open(link.pathname + link.search)
    expect(await friend.page.locator('article[data-price]').count()).toBe(2)
    for (const box of await friend.page.getByLabel(/^Comparar/).all()) await box.check()
    await friend.press('Comparar las marcadas (hasta 4)')
    expect(await friend.page.locator('th[scope="col"]').count()).toBe(2)
    await visitor.open(new URL(friend.page.url()).pathname + new URL(friend.page.url()).search)

    // A page opened without ids finds them in the browser.
    await page.goto(`${walk.base}/favoritos`)
    await page.waitForURL(/\/favoritos\?ids=/)
    await page.evaluate(`localStorage.setItem('lonja-saved', '{"favorites":[{"slug":7},null,7],"seen":"no"')`)
    await visitor.open('/favoritos')
    expect(await page.getByText('Todavía no hay propiedades aquí').count()).toBe(1)
  })
})
