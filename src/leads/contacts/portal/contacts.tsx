import type { FastifyInstance } from 'fastify'
import { phoneText } from '../../../lib/phone.ts'
import { useVisit } from '../../../portal/context.ts'
import { sendScreen, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { type PageOf, Pager, pageFrom, pageHref, pageOf, rangeOf } from '../../../ui/pager.tsx'
import { Empty } from '../../../ui/panels.tsx'
import { SearchField } from '../../../ui/search-box.tsx'
import { Time } from '../../../ui/time.tsx'
import { type ContactRow, listContacts } from '../service.ts'
import { ContactTabs, Due } from './parts.tsx'

export function registerContacts(app: FastifyInstance, { db, now }: PortalDeps): void {
  app.get('/contacts', async (request, reply) => {
    const { t } = request.visit
    const q =
      (request.query as URLSearchParams).get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined
    const page = pageOf(request)
    const found = await listContacts(db, signedIn(request).id, { q, ...rangeOf(page) })
    return sendScreen(
      request,
      reply,
      { title: t('Contactos', 'Contacts'), section: 'contacts' },
      <Contacts {...pageFrom(found, page)} q={q} now={now()} />,
    )
  })
}

function Contacts({
  rows,
  page,
  hasMore,
  q,
  now,
}: PageOf<ContactRow> & { q: string | undefined; now: Date }) {
  const { t } = useVisit()
  const isEmpty = rows.length === 0 && !q
  return (
    <>
      <ContactTabs here="contacts" />
      {!isEmpty && (
        <form method="get" action="/portal/contacts" class="flex min-w-0 gap-2">
          <SearchField
            q={q}
            label={t('Nombre, correo o teléfono', 'Name, email or phone')}
            class="sm:max-w-md"
          />
          <button type="submit" class="btn">
            {t('Buscar', 'Search')}
          </button>
        </form>
      )}
      <div class="rounded-box border border-base-300 bg-base-100">
        {rows.length === 0 ? (
          <Empty
            icon={isEmpty ? 'people' : 'search'}
            title={
              isEmpty ? t('Aún no tienes contactos', 'No contacts yet') : t('Sin resultados', 'No results')
            }
          >
            {isEmpty &&
              t(
                'Cada persona que te escribe es un contacto, con todos sus prospectos, tus notas y tus tareas.',
                'Everyone who writes to you is a contact, with all their leads, your notes and your tasks.',
              )}
          </Empty>
        ) : (
          <ul class="divide-y divide-base-300">
            {rows.map(row => (
              <Row key={row.id} row={row} now={now} />
            ))}
          </ul>
        )}
      </div>
      <Pager page={page} hasMore={hasMore} hrefOf={pageHref('/portal/contacts', { q })} />
    </>
  )
}

function Row({ row, now }: { row: ContactRow; now: Date }) {
  const { t } = useVisit()
  return (
    <li class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 p-4">
      <div class="min-w-0">
        <a class="link font-medium break-words link-hover" href={`/portal/contacts/${row.id}`}>
          {row.name}
        </a>
        <p class="text-sm break-words text-base-content/75">
          {[row.phone && phoneText(row.phone), row.email].filter(Boolean).join(' · ')}
        </p>
        {row.due_at && <Due at={row.due_at} now={now} />}
      </div>
      <p class="text-sm text-base-content/75">
        {row.leads === 1 ? t('1 prospecto', '1 lead') : t(`${row.leads} prospectos`, `${row.leads} leads`)} ·{' '}
        <Time at={row.last_at} day />
      </p>
    </li>
  )
}
