import { describe, expect, it } from 'vitest'
import { isWorking } from '../../src/imports/rules.ts'
import { work } from '../support/imports.ts'
import { messySheet, sheetOf } from '../support/messy.ts'
import { xlsx } from '../support/spreadsheets.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS } from '../support/walk.ts'

const walk = useWalk()

/** What the workers do, until the walk is over. */
function workers() {
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const rows = await walk.exchange.db.selectFrom('imports').select(['id', 'phase']).execute()
      for (const { id, phase } of rows) if (isWorking(phase)) await work(walk.exchange, id)
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  })()
  return async () => {
    isOver = true
    await done
  }
}

describe.each(WAYS)('$name', way => {
  it('goes from a spreadsheet of 300 rows to published listings, and back', async () => {
    const agent = await walk.exchange.agent({ password: PASSWORD })
    const stop = workers()
    const messy = messySheet(300, { merged: true })
    const buffer = await xlsx(sheetOf(messy), { merges: messy.merges })
    const desk = await walk.visit(way)
    const { page } = desk
    await desk.signIn(agent.email, PASSWORD)
    await desk.open('/portal/import')
    await page.setInputFiles('[name=file]', { name: 'Inventario.xlsx', mimeType: '', buffer })
    await desk.press('Leer archivo')
    // The page loads itself again, with and without scripts.
    await page.getByRole('button', { name: 'Revisar las filas' }).waitFor()
    await desk.check()
    await desk.press('Revisar las filas')
    const confirm = `Importar ${messy.listings} propiedades`
    await page.getByRole('button', { name: confirm }).waitFor()
    await desk.check()
    await desk.follow('Rechazadas')
    await desk.press(confirm)
    await page.getByText('Importación terminada').waitFor({ timeout: 90_000 })
    await desk.check()
    const published = () =>
      walk.exchange.db
        .selectFrom('listings')
        .select('id')
        .where('agent_id', '=', agent.id)
        .where('status', '=', 'published')
        .execute()
    expect(await published()).toHaveLength(messy.listings)
    await page.getByText('Deshacer', { exact: true }).click()
    await page.getByRole('button', { name: 'Sí, deshacer todo' }).click()
    await page.getByText('Esta importación se deshizo').waitFor()
    await page
      .getByText(`${messy.listings} propiedades volvieron a como estaban`)
      .waitFor({ timeout: 90_000 })
    expect(await published()).toEqual([])
    await desk.open('/portal/import/sources')
    await stop()
  }, 240_000)
})
