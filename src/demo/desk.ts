import type { Tx } from '../db/database.ts'
import { preparePdf } from '../files/images.ts'
import type { Storage } from '../files/storage.ts'
import { onePagePdf } from '../lib/pdf.ts'

// What the operator's desk shows, beside people and listings.

/** A document for every license that waits to be reviewed. */
export async function insertLicenseDocuments(tx: Tx, files: Storage): Promise<void> {
  const requests = await tx
    .selectFrom('licence_requests')
    .select(['id', 'state', 'authority', 'number'])
    .execute()
  for (const { id, state, authority, number } of requests) {
    const title = 'Constancia de registro'
    const lines = [`${authority}, ${state}`, `Registro número ${number}`, 'Documento de muestra.']
    const document = preparePdf(
      onePagePdf(title, [
        { text: title, size: 20, bold: true },
        ...lines.map(text => ({ text, size: 13, above: 18 })),
      ]),
    )
    const bytes = document.contents.reduce((sum, { content }) => sum + content.length, 0)
    for (const { name, content } of document.contents) await files.put('documents', name, content)
    await tx.insertInto('uploads').values({ id: document.id, bytes }).execute()
    await tx
      .updateTable('licence_requests')
      .set({ document: document.name, document_type: 'application/pdf' })
      .where('id', '=', id)
      .execute()
  }
}

/** A limit that was raised. */
export async function insertSetting(tx: Tx, at: Date): Promise<void> {
  await tx
    .insertInto('setting_changes')
    .values({ name: 'upload_mb', value: '2500', changed_at: at, operator_id: null })
    .execute()
  const note = 'upload_mb: default → 2500'
  await tx
    .insertInto('audit_log')
    .values({ at, operator_id: null, action: 'limits.change', subject: 'upload_mb', note })
    .execute()
}
