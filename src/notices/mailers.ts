import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mail } from './mail.ts'

export interface Mailer {
  /** Throws if the message was not accepted. Returns the destination, for the log. */
  send(mail: Mail): Promise<string>
  close(): void
}

/** Writes real messages that a person can open, without a mail server. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(optionsOf(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 17)
      const file = join(folder, `${stamp}-${mail.kind}-${mail.id}.eml`)
      // Atomic: a program that watches the folder never opens a partial message.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      return file
    },
    close: () => transport.close(),
  }
}

/** Deletes every message in the folder that contains one of an erased person's addresses or phone numbers. */
export async function removeMailsNaming(folder: string, contacts: readonly string[]): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
  let removed = 0
  for (const name of names) {
    // Quoted-printable encoding breaks long lines with an equals sign.
    const text = (await readFile(join(folder, name), 'utf8')).replace(/=\r?\n/g, '').toLowerCase()
    if (!contacts.some(contact => text.includes(contact.toLowerCase()))) continue
    await rm(join(folder, name))
    removed++
  }
  return removed
}

/** Shorter than the job timeout, so that a silent server is a failure and not a lost worker. */
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
