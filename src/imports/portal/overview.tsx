import { groupAmount } from '../../lib/money.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { DangerButton, Submit } from '../../ui/buttons.tsx'
import { Choices, Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { allWords } from '../../ui/messages.ts'
import { type PageOf, Pager, pageHref } from '../../ui/pager.tsx'
import { Empty, Panel, Stat } from '../../ui/panels.tsx'
import { canUndo, isWorking, RESULTS, type Result, ROWS_KEPT_DAYS, UNDO_HOURS } from '../rules.ts'
import type { Import, ShownRow } from '../service.ts'
import { HOME } from './imports.tsx'
import { CancelButton, Progress } from './parts.tsx'
import { cellWords, columnName, RESULT_TONES, resultWords, titleOf } from './words.ts'

interface OverviewProps {
  one: Import
  rows: PageOf<ShownRow>
  result: Result | undefined
  /** Only rows with photos that cannot be opened are shown. */
  broken: boolean
  hasBroken: boolean
  now: Date
}

/** One import: how far it is, what it does or did, and every row. */
export function Overview({ now, ...props }: OverviewProps) {
  const { one } = props
  const { t, lang } = useVisit()
  const path = `${HOME}/${one.id}`
  if (one.phase === 'failed') {
    return (
      <Panel>
        <Empty icon="alert" title={t('No se pudo leer', 'Could not be read')}>
          {one.source_id
            ? allWords(one.issues, lang)
            : `${t('El archivo', 'The file')} ${allWords(one.issues, lang)}.`}
        </Empty>
      </Panel>
    )
  }
  const isPlan = one.phase === 'checking' || one.phase === 'ready'
  const words = resultWords(t, isPlan)
  return (
    <div class="flex min-w-0 flex-col gap-6">
      {isWorking(one.phase) && (
        <Panel
          title={t('En curso', 'In progress')}
          actions={one.phase !== 'undoing' && <CancelButton one={one} />}
        >
          <Progress one={one} />
        </Panel>
      )}
      {one.phase === 'ready' && <ConfirmPanel one={one} />}
      {(one.phase === 'done' || one.phase === 'undone' || one.phase === 'undoing') && (
        <Done one={one} now={now} />
      )}
      {one.phase !== 'reading' && one.phase !== 'canceled' && (
        <>
          <div class="grid grid-cols-2 gap-4 lg:grid-cols-4">
            {RESULTS.filter(name => name !== 'unpublished' || one.source_id !== null).map(name => (
              <Stat
                key={name}
                label={words[name].all}
                value={groupAmount(one.counts[name] ?? 0)}
                href={`${path}?result=${name}`}
              />
            ))}
          </div>
          <Rows {...props} isPlan={isPlan} />
        </>
      )}
    </div>
  )
}

function ConfirmPanel({ one }: { one: Import }) {
  const { t } = useVisit()
  const { created = 0, changed = 0, unpublished = 0 } = one.counts
  const total = created + changed + unpublished
  const path = `${HOME}/${one.id}`
  const correct = (
    <a class="btn btn-sm" href={`${path}?columns`}>
      <Icon name="pencil" class="size-4" />
      {t('Corregir columnas', 'Correct columns')}
    </a>
  )
  return (
    <Panel
      title={t('Aún no guardamos nada', 'Nothing has been saved yet')}
      note={t('Esto es lo que pasaría con cada fila.', 'This is what would happen to each row.')}
      actions={
        <div class="ml-auto flex flex-wrap justify-end gap-2">
          {correct}
          <CancelButton one={one} />
        </div>
      }
    >
      {total === 0 ? (
        <p>{t('No hay nada que crear ni cambiar.', 'There is nothing to create or change.')}</p>
      ) : (
        <Form action={`${path}/confirm`}>
          <Choices
            name="status"
            label={t('Las propiedades nuevas', 'New listings')}
            options={[
              {
                value: 'published',
                label: t('Publicarlas', 'Publish them'),
                hint: t(
                  'Salvo las que tu archivo marque de otra manera.',
                  'Except where your file says otherwise.',
                ),
              },
              {
                value: 'draft',
                label: t('Dejarlas como borradores', 'Keep them as drafts'),
                hint: t('Las publicas después, desde Propiedades.', 'You publish them later, from Listings.'),
              },
            ]}
          />
          {unpublished > 0 && (
            <Choices
              name="missing"
              label={t(
                `${groupAmount(unpublished)} ya no están en la conexión`,
                `${groupAmount(unpublished)} are no longer in the connection`,
              )}
              options={[
                { value: 'unpublish', label: t('Despublicarlas', 'Unpublish them') },
                { value: 'keep', label: t('Dejarlas como están', 'Leave them as they are') },
              ]}
            />
          )}
          <Submit class="self-start">
            {t(`Importar ${groupAmount(total)} propiedades`, `Import ${groupAmount(total)} listings`)}
          </Submit>
        </Form>
      )}
    </Panel>
  )
}

function Done({ one, now }: { one: Import; now: Date }) {
  const { t } = useVisit()
  const { undone = 0, kept = 0 } = one.counts
  if (one.phase !== 'done') {
    return (
      <Panel title={t('Esta importación se deshizo', 'This import was undone')}>
        <p>
          {t(
            `${groupAmount(undone)} propiedades volvieron a como estaban.`,
            `${groupAmount(undone)} listings were restored.`,
          )}{' '}
          {kept > 0 &&
            t(
              `${groupAmount(kept)} se quedaron: cambiaron después de la importación.`,
              `${groupAmount(kept)} stayed: they changed after the import.`,
            )}
        </p>
      </Panel>
    )
  }
  return (
    <Panel
      title={t('Importación terminada', 'Import finished')}
      note={
        canUndo(one, now) &&
        t(
          `Puedes deshacerla completa durante ${UNDO_HOURS} horas.`,
          `You can undo all of it for ${UNDO_HOURS} hours.`,
        )
      }
      actions={
        canUndo(one, now) && (
          <div class="ml-auto">
            <DangerButton
              action={`${HOME}/${one.id}/undo`}
              label={t('Deshacer', 'Undo')}
              question={t(
                'Eliminamos lo creado y lo cambiado vuelve a como estaba. Lo que editaste después no se toca.',
                'What was created is removed and what was changed is restored. What you edited later is not touched.',
              )}
              yes={t('Sí, deshacer todo', 'Yes, undo all of it')}
            />
          </div>
        )
      }
    >
      <a class="btn btn-primary btn-sm" href="/portal/listings">
        <Icon name="building" class="size-4" />
        {t('Ver mis propiedades', 'See my listings')}
      </a>
    </Panel>
  )
}

function Rows({ isPlan, ...props }: Omit<OverviewProps, 'now'> & { isPlan: boolean }) {
  const { one, rows, result, broken, hasBroken } = props
  const { t } = useVisit()
  const path = `${HOME}/${one.id}`
  const words = resultWords(t, isPlan)
  const { refused = 0 } = one.counts
  return (
    <Panel
      title={
        result
          ? `${t('Filas', 'Rows')}: ${words[result].all.toLowerCase()}`
          : t('Todas las filas', 'All rows')
      }
      actions={
        <div class="flex flex-wrap gap-2">
          {hasBroken && !broken && (
            <a class="btn btn-sm" href={`${path}?photos`}>
              <Icon name="photo" class="size-4" />
              {t('Fotos que no se pueden abrir', 'Photos that cannot be opened')}
            </a>
          )}
          {(result || broken) && (
            <a class="btn btn-ghost btn-sm" href={path}>
              {t('Ver todas', 'See all')}
            </a>
          )}
          {refused > 0 && rows.rows.length > 0 && (
            <a class="btn btn-sm" href={`${path}/refused.csv`} download>
              <Icon name="download" class="size-4" />
              {t('Descargar filas rechazadas', 'Download rejected rows')}
            </a>
          )}
        </div>
      }
    >
      {rows.rows.length === 0 ? (
        <p class="text-base-content/75">
          {t(
            `No hay filas que mostrar. Las filas se guardan ${ROWS_KEPT_DAYS} días.`,
            `No rows to show. Rows are kept for ${ROWS_KEPT_DAYS} days.`,
          )}
        </p>
      ) : (
        <ul class="flex flex-col divide-y divide-base-300">
          {rows.rows.map(row => (
            <Row
              key={row.number}
              row={row}
              one={one}
              isPlan={isPlan || (one.phase === 'running' && row.number > one.position)}
            />
          ))}
        </ul>
      )}
      <Pager
        page={rows.page}
        hasMore={rows.hasMore}
        hrefOf={pageHref(path, { result, photos: broken ? '1' : undefined })}
      />
    </Panel>
  )
}

function Row({ row, one, isPlan }: { row: ShownRow; one: Import; isPlan: boolean }) {
  const { t, lang } = useVisit()
  const title = titleOf(row.cells, one.columns)
  const name = [row.external_id, title].filter(Boolean).join(' · ') || t('Sin clave', 'No code')
  return (
    <li class="flex flex-col gap-1 py-3">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span class="text-sm text-base-content/70 tabular-nums">
          {t(`Fila ${row.number}`, `Row ${row.number}`)}
        </span>
        {row.result && (
          <Badge tone={RESULT_TONES[row.result]}>{resultWords(t, isPlan)[row.result].one}</Badge>
        )}
        {row.undone === true && <Badge>{t('Deshecha', 'Undone')}</Badge>}
        {row.undone === false && (
          <Badge tone="warning">{t('Se quedó: la cambiaste después', 'Stayed: you changed it later')}</Badge>
        )}
        <span class="min-w-0 font-medium break-words">
          {row.listing_id && row.undone !== true ? (
            <a class="link link-hover" href={`/portal/listings/${row.listing_id}`}>
              {name}
            </a>
          ) : (
            name
          )}
        </span>
      </div>
      {[...row.issues, ...row.notes].map((issue, i) => (
        <p
          key={i}
          class={`text-sm break-words ${i < row.issues.length ? 'text-error' : 'text-base-content/75'}`}
        >
          <strong>{columnName(issue.field, one.columns, t)}</strong>
          {`: ${cellWords(issue, lang)}`}
          {i >= row.issues.length && issue.code !== 'broken_image' && t('; se omitió', '; left out')}
        </p>
      ))}
    </li>
  )
}
