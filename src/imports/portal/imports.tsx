import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { groupAmount } from '../../lib/money.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Submit } from '../../ui/buttons.tsx'
import { FileField, Form, type Shown } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { TEMPLATE, targetName } from '../columns.ts'
import { READING } from '../reading/limits.ts'
import { type Import, listImports, startImport } from '../service.ts'
import { csvLine } from './csv.ts'
import { PHASE_TONES, phaseWords } from './words.ts'

export const HOME = '/portal/import'
const SHOWN = 20

export function registerImports(app: FastifyInstance, { db, uploads, now }: PortalDeps): void {
  app.get('/import', (request, reply) => send(request, reply))

  app.get('/import/template.csv', async (request, reply) => {
    const { t } = request.visit
    const lines = [
      TEMPLATE.map(({ target }) => targetName(target, t)),
      TEMPLATE.map(({ example }) => example),
    ]
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="lonja.csv"')
      .send(`\uFEFF${lines.map(csvLine).join('')}`)
  })

  formRoute(app, {
    path: '/import',
    access: 'verified',
    upload: { files: 1, fileBytes: READING.fileBytes },
    run: request => startImport(db, uploads, signedIn(request).id, request.uploads[0], now()),
    redraw: send,
    done: (_request, reply, id) => goTo(reply, `${HOME}/${id}`),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const { t } = request.visit
    const imports = await listImports(db, signedIn(request).id, SHOWN)
    return sendScreen(
      request,
      reply,
      {
        title: t('Importar', 'Import'),
        section: 'import',
        actions: (
          <a class="btn btn-sm" href={`${HOME}/sources`}>
            <Icon name="rss" class="size-4" />
            {t('Conexiones', 'Connections')}
          </a>
        ),
        subtitle: t(
          'Trae tu inventario de una hoja de cálculo. Primero ves qué pasaría con cada fila; nada se guarda hasta que confirmes.',
          'Bring your inventory from a spreadsheet. First you see what would happen to each row; nothing is saved until you confirm.',
        ),
      },
      <Imports imports={imports} {...shown} />,
    )
  }
}

function Imports({ imports, ...shown }: Shown & { imports: Import[] }) {
  const { t, agent } = useVisit()
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {imports.length === 0 ? (
        <Panel>
          <Empty icon="document" title={t('Aún no has importado nada', 'Nothing imported yet')}>
            {agent?.isVerified
              ? t(
                  'Envía la hoja de cálculo que ya usas: reconocemos los nombres de sus columnas.',
                  'Send the spreadsheet you already use: we recognize the names of its columns.',
                )
              : t(
                  'Podrás importar cuando verifiquemos tu licencia.',
                  'You can import once your license is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">
          {imports.map(one => (
            <Item key={one.id} one={one} />
          ))}
        </ul>
      )}
      {agent?.isVerified && <NewImport {...shown} />}
    </div>
  )
}

function Item({ one }: { one: Import }) {
  const { t } = useVisit()
  const { created = 0, changed = 0, refused = 0 } = one.counts
  return (
    <li class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 class="min-w-0 text-lg font-semibold break-words">
          <a class="link link-hover" href={`${HOME}/${one.id}`}>
            {one.name}
          </a>
        </h2>
        <Badge tone={PHASE_TONES[one.phase]}>{phaseWords(t)[one.phase]}</Badge>
      </div>
      <p class="mt-1 text-sm text-base-content/75">
        <Time at={one.created_at} />
        {one.total > 0 && ` · ${t(`${groupAmount(one.total)} filas`, `${groupAmount(one.total)} rows`)}`}
        {(one.phase === 'done' || one.phase === 'undone') &&
          ` · ${t(
            `${groupAmount(created)} creadas, ${groupAmount(changed)} actualizadas, ${groupAmount(refused)} rechazadas`,
            `${groupAmount(created)} created, ${groupAmount(changed)} updated, ${groupAmount(refused)} rejected`,
          )}`}
      </p>
    </li>
  )
}

function NewImport(shown: Shown) {
  const { t } = useVisit()
  return (
    <Panel title={t('Nueva importación', 'New import')} class="self-start">
      <Form action={HOME} upload {...shown}>
        <FileField
          name="file"
          label={t('Hoja de cálculo', 'Spreadsheet')}
          accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          hint={t(
            `.xlsx o .csv, hasta ${groupAmount(READING.rows)} filas. Una columna debe tener la clave de cada propiedad: con ella la reconocemos la próxima vez.`,
            `.xlsx or .csv, up to ${groupAmount(READING.rows)} rows. One column must contain each listing’s code, so that we recognize it next time.`,
          )}
          required
        />
        <Submit class="self-start">{t('Leer archivo', 'Read file')}</Submit>
      </Form>
      <p class="mt-4 border-t border-base-300 pt-4 text-sm">
        <a class="link inline-flex items-center gap-2" href={`${HOME}/template.csv`}>
          <Icon name="download" class="size-4" />
          {t('Descargar una plantilla', 'Download a template')}
        </a>
      </p>
    </Panel>
  )
}
