import type { Tx } from '../db/database.ts'
import { recognizeColumns } from '../imports/columns.ts'
import { readRow } from '../imports/row.ts'
import { groupAmount } from '../lib/money.ts'
import { PROPERTY_TYPES } from '../lookups/catalog.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

const HEADERS = [
  'Clave',
  'Título',
  'Tipo',
  'Precio venta',
  'Precio renta',
  'Ciudad',
  'Estado',
  'Recámaras',
  'Dueño',
]
const LISTINGS = 8
/** What nobody can understand, to show how it is refused. */
const FAULTS = [
  ['INV-101', 'Casa en Chapalita', 'Casa', '1.8 M', '', 'Guadalajara', 'Jalisco', '3', ''],
  ['INV-102', 'Terreno en esquina', 'Terreno', 'Consultar', '', 'Zapopan', 'Jal.', 'N/A', ''],
  ['INV-103', 'Castillo con foso', 'Castillo', '45 MDP', '', 'Guadalajara', 'Aztlán', '12', ''],
]

/** A spreadsheet the demo agent imported three days ago: most rows became listings, some were refused. */
export async function insertImports(tx: Tx, now: Date): Promise<void> {
  const agentId = demoId('agent', DEMO_AGENT)
  const listings = await tx
    .selectFrom('listings')
    .select(['id', 'title', 'property_type', 'sale_price', 'rent_price', 'city', 'state', 'bedrooms'])
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .limit(LISTINGS)
    .execute()
  const id = demoId('import', 0)
  const columns = recognizeColumns(HEADERS)
  const at = new Date(now.getTime() - 3 * 24 * 3_600_000)
  const counts = { created: listings.length, refused: FAULTS.length }
  await tx
    .insertInto('imports')
    .values({
      id,
      agent_id: agentId,
      name: 'Inventario otoño.xlsx',
      phase: 'done',
      columns: JSON.stringify(columns),
      total: listings.length + FAULTS.length,
      counts: JSON.stringify(counts),
      created_at: at,
      finished_at: at,
    })
    .execute()
  const price = (amount: number | null) => (amount === null ? '' : `$${groupAmount(amount)}`)
  const created = listings.map((one, i) => ({
    listing_id: one.id,
    result: 'created' as const,
    cells: [
      `INV-${String(i + 1).padStart(3, '0')}`,
      one.title,
      PROPERTY_TYPES[one.property_type].es,
      price(one.sale_price),
      price(one.rent_price),
      one.city,
      one.state,
      String(one.bedrooms ?? 'N/A'),
      '',
    ],
  }))
  const refused = FAULTS.map(cells => ({ listing_id: null, result: 'refused' as const, cells }))
  const rows = [...created, ...refused].map(({ cells, ...row }, i) => ({
    ...row,
    import_id: id,
    number: i + 2,
    external_id: cells[0] ?? null,
    cells: JSON.stringify(cells),
    issues: JSON.stringify(row.result === 'refused' ? readRow(cells, columns).sent.issues : []),
  }))
  await tx.insertInto('import_rows').values(rows).execute()
}
