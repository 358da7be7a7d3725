import type { ComponentChildren } from 'preact'
import { type Lang, wordsIn } from '../lib/i18n.ts'
import { phoneText, whatsAppHref } from '../lib/phone.ts'
import { Button, Facts, Layout, Quote } from './components.tsx'
import type { Draft } from './mail.ts'

interface TaskNotice {
  /** Null if the person left no contact: then nothing could find this mail again to erase it. */
  about: { task: string; name: string; email: string | null; phone: string | null } | null
  /** The person in the portal. */
  url: string
}

export function taskEmail({ about, url }: TaskNotice, lang: Lang): Draft {
  const t = wordsIn(lang)
  const title = t('Tienes una tarea para ahora', 'You have a task due now')
  const rows: [string, ComponentChildren][] = about ? [[t('Contacto', 'Contact'), about.name]] : []
  if (about?.phone) rows.push([t('Teléfono', 'Phone'), phoneText(about.phone)])
  if (about?.email) rows.push([t('Correo', 'Email'), about.email])
  return {
    subject: about ? `${t('Tarea', 'Task')}: ${about.name}` : title,
    body: (
      <Layout
        lang={lang}
        title={title}
        reason={t(
          'Recibes este recordatorio porque anotaste esta tarea en Lonja.',
          'You are receiving this because you added this task on Lonja.',
        )}
      >
        {about && (
          <>
            <Quote>{about.task}</Quote>
            <Facts rows={rows} />
          </>
        )}
        <Button href={url}>{t('Ver el contacto', 'View the contact')}</Button>
        {about?.phone && (
          <Button href={whatsAppHref(about.phone)}>
            {t('Escribir por WhatsApp', 'Message on WhatsApp')}
          </Button>
        )}
      </Layout>
    ),
  }
}
