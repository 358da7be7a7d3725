import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mail } from './mail.ts'

export interface Mailer {
  /** Throws when the message was not taken. Tells where it went, for the log. */
  send(mail: Mail): Promise<string>
  close(): void
}

/** Real messages that a person can open, without a mail server. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(optionsOf(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 17)
      const file = join(folder, `${stamp}-${mail.kind}-${mail.id}.eml`)
      // Whole or not at all: whoever watches the folder never opens half a message.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      return file
    },
    close: () => transport.close(),
  }
}

/** Of a person who is erased: every message in the folder that names one of these addresses or phones. */
export async function removeMailsNaming(folder: string, contacts: readonly string[]): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
  let removed = 0
  for (const name of names) {
    // Long lines are broken by an equals sign in the encoding of mails.
    const text = (await readFile(join(folder, name), 'utf8')).replace(/=\r?\n/g, '').toLowerCase()
    if (!contacts.some(contact => text.includes(contact.toLowerCase()))) continue
    await rm(join(folder, name))
    removed++
  }
  return removed
}

/** Shorter than the queue's patience with a job, so that a silent server is a failure and not a lost worker. */
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, ...SMTP_TIMEOUTS })
  return {
    async send(mail) {
      await transport.sendMail(optionsOf(mail, from))
      return 'the mail server'
    },
    close: () => transport.close(),
  }
}

function optionsOf({ id, to, replyTo, subject, html, text }: Mail, from: string): SendMailOptions {
  return {
    from,
    to,
    ...(replyTo ? { replyTo } : {}),
    subject,
    html,
    text,
    messageId: `<notice-${id}@${from.replace(/^.*@|>$/g, '')}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
