import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/database.ts'
import { queryOf } from '../../http/forms.ts'
import type { Lang, Words } from '../../lib/i18n.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import type { Shown } from '../../ui/forms.tsx'
import { pageFrom, pageOf, rangeOf } from '../../ui/pager.tsx'
import { isTarget, targetName } from '../columns.ts'
import { isWorking, RESULTS } from '../rules.ts'
import {
  cancelImport,
  chooseColumns,
  confirmImport,
  findOwn,
  type Import,
  listRows,
  undoImport,
} from '../service.ts'
import { ColumnsForm } from './columns.tsx'
import { csvLine } from './csv.ts'
import { HOME } from './imports.tsx'
import { Overview } from './overview.tsx'
import { cellsOf, phaseWords, rowWords, titleOf } from './words.ts'

/** Seconds until the page is loaded again while something goes on: works without scripts. */
const REFRESH = '2'
const SAMPLES = 4

type OfOne = FastifyRequest<{ Params: { id: string } }>

export function registerImport(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get<{ Params: { id: string } }>('/import/:id', async (request, reply) => {
    const one = await findOwn(db, signedIn(request).id, request.params.id)
    const isCorrecting = one.phase === 'ready' && queryOf(request).has('columns')
    if (one.phase === 'columns' || isCorrecting) return sendColumns(request, reply, one)
    if (isWorking(one.phase)) reply.header('refresh', REFRESH)
    return sendOverview(request, reply, one)
  })

  formRoute(app, {
    path: '/import/:id/columns',
    read: request => findOwn(db, signedIn(request).id, request.params.id),
    run: (request, { id, agent_id: agentId, columns }) =>
      chooseColumns(
        db,
        agentId,
        id,
        columns.map((_column, i) => {
          const target = request.form.get(`column-${i}`)
          return isTarget(target) ? target : null
        }),
      ),
    redraw: (request, reply, rejected, one) => sendColumns(request, reply, one, rejected),
    done: ({ params }, reply) => goTo(reply, `${HOME}/${params.id}`),
  })

  app.get<{ Params: { id: string } }>('/import/:id/refused.csv', async (request, reply) => {
    const one = await findOwn(db, signedIn(request).id, request.params.id)
    const { lang, t } = request.visit
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="rechazadas.csv"')
      .send(Readable.from(refusedCsv(db, one, lang, t)))
  })

  async function sendColumns(request: OfOne, reply: FastifyReply, one: Import, shown: Shown = {}) {
    const { t } = request.visit
    const samples = await listRows(db, one.id, { limit: SAMPLES })
    return sendScreen(
      request,
      reply,
      {
        title: one.name,
        section: 'import',
        subtitle: t(
          'Revisa qué contiene cada columna. Lo recordaremos para tu próximo archivo.',
          'Check what each column contains. We will remember it for your next file.',
        ),
      },
      <ColumnsForm one={one} samples={samples} {...shown} />,
    )
  }

  async function sendOverview(request: OfOne, reply: FastifyReply, one: Import) {
    const { t } = request.visit
    const asked = queryOf(request).get('result')
    const result = RESULTS.find(name => name === asked)
    const page = pageOf(request)
    const broken = queryOf(request).has('photos')
    const rows = await listRows(db, one.id, { result, broken, ...rangeOf(page) })
    const hasBroken = broken || (await listRows(db, one.id, { broken: true, limit: 1 })).length > 0
    return sendScreen(
      request,
      reply,
      { title: one.name, section: 'import', subtitle: phaseWords(t)[one.phase] },
      <Overview rows={pageFrom(rows, page)} now={now()} {...{ one, result, broken, hasBroken }} />,
    )
  }
}

/** What the agent decides once the columns are right. */
export function registerSteps(app: FastifyInstance, { db, files, now }: PortalDeps): void {
  formRoute(app, {
    path: '/import/:id/confirm',
    access: 'verified',
    run: request =>
      confirmImport(db, signedIn(request).id, request.params.id, {
        publishes: request.form.get('status') === 'published',
        unpublishes: request.form.get('missing') !== 'keep',
      }),
    done: ({ params }, reply) => goTo(reply, `${HOME}/${params.id}`),
  })

  formRoute(app, {
    path: '/import/:id/cancel',
    run: request => cancelImport(db, files, signedIn(request).id, request.params.id, now()),
    done: ({ params, visit: { t } }, reply) =>
      goTo(reply, `${HOME}/${params.id}`, t('Importación detenida.', 'Import stopped.')),
  })

  formRoute(app, {
    path: '/import/:id/undo',
    run: request => undoImport(db, signedIn(request).id, request.params.id, now()),
    done: ({ params }, reply) => goTo(reply, `${HOME}/${params.id}`),
  })
}

const PIECE = 200

/** The rows as they were sent, with the reason in front: repaired, the file can be sent again. */
async function* refusedCsv(db: Db, one: Import, lang: Lang, t: Words): AsyncGenerator<string> {
  const headers = one.columns.map(({ header, target }) => header || (target ? targetName(target, t) : ''))
  const names = headers.length > 0 ? headers : [t('Clave', 'Code'), t('Título', 'Title')]
  yield `\uFEFF${csvLine([t('Motivo', 'Reason'), ...names])}`
  for (let after = 0; ; ) {
    const rows = await listRows(db, one.id, { result: 'refused', after, limit: PIECE })
    const last = rows.at(-1)
    if (!last) return
    after = last.number
    yield rows
      .map(({ cells, issues, external_id }) =>
        csvLine([
          issues.map(issue => rowWords(issue, one.columns, lang, t)).join('; '),
          ...(one.columns.length > 0
            ? headers.map((_header, i) => cellsOf(cells)[i] ?? '')
            : [external_id ?? '', titleOf(cells, one.columns) ?? '']),
        ]),
      )
      .join('')
  }
}
