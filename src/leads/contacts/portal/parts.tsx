import { useVisit } from '../../../portal/context.ts'
import { Icon } from '../../../ui/icons.tsx'
import { TabLinks } from '../../../ui/tabs.tsx'
import { Time } from '../../../ui/time.tsx'

export function ContactTabs({ here }: { here: 'contacts' | 'tasks' }) {
  const { t } = useVisit()
  return (
    <TabLinks
      label={t('Contactos', 'Contacts')}
      tabs={[
        { href: '/portal/contacts', label: t('Contactos', 'Contacts'), here: here === 'contacts' },
        { href: '/portal/tasks', label: t('Tareas', 'Tasks'), here: here === 'tasks' },
      ]}
    />
  )
}

/** When a task is due, marked once it is late. */
export function Due({ at, now }: { at: Date; now: Date }) {
  const { t } = useVisit()
  const isLate = at < now
  return (
    <p
      class={`flex items-center gap-1.5 text-sm ${isLate ? 'font-medium text-error' : 'text-base-content/75'}`}
    >
      <Icon name="calendar" class="size-4" />
      {isLate ? t('Tarea vencida:', 'Task overdue:') : t('Tarea:', 'Task:')} <Time at={at} />
    </p>
  )
}
