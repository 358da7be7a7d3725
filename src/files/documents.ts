import type { FastifyReply } from 'fastify'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { isHeic, isPdf, preparePdf, preparePicture } from './images.ts'
import type { Storage } from './storage.ts'
import type { Upload } from './upload.ts'

/** A PDF as it is, or a picture drawn again; anything else is an issue of that field. */
export async function prepareDocument({ bytes }: Upload, agentId: string, field: string) {
  if (isPdf(bytes)) return { ...preparePdf(bytes), type: 'application/pdf' as const }
  const picture = await preparePicture(bytes, { page: { maxSide: 3000, quality: 85 } }, agentId)
  if (picture) return { ...picture, name: picture.names.page, type: 'image/webp' as const }
  throw new Problem('validation', { issues: [issue(field, isHeic(bytes) ? 'heic' : 'not_a_document')] })
}

/** To be saved, not opened: a PDF comes as somebody uploaded it. */
export async function sendDocument(reply: FastifyReply, files: Storage, name: string): Promise<FastifyReply> {
  const file = await files.stream('documents', name)
  if (!file) throw new Problem('not_found')
  const extension = name.endsWith('.pdf') ? 'pdf' : 'webp'
  return reply
    .type(extension === 'pdf' ? 'application/pdf' : 'image/webp')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="documento.${extension}"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-length', file.bytes)
    .send(file.content)
}
