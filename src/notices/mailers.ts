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

/** To visitors, by the kind in the file's name. */
const TO_VISITOR = /^\d+-(inquiry|identify|identification-refused|showing-confirmed|alert-\w+)-/

/**
 * Deletes every message in the folder that contains one of an erased person's addresses or phone numbers. With an agent's
 * address only messages that contain that too or went to a visitor: agents may enter anybody's address in a lead.
 */
export async function removeMailsNaming(
  folder: string,
  contacts: readonly string[],
  agentEmail?: string,
): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
  let removed = 0
  for (const name of names) {
    // Another removal may be faster.
    const text = decoded(await readFile(join(folder, name), 'utf8').catch(() => ''))
    if (!contacts.some(contact => mentions(text, contact))) continue
    if (agentEmail !== undefined && !TO_VISITOR.test(name) && !mentions(text, agentEmail)) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

/** Without the quoted-printable encoding, which breaks long lines and escapes equals signs. */
const decoded = (message: string) =>
  message
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The whole of it: `juana@…` does not contain `ana@…`. */
const mentions = (text: string, contact: string): boolean =>
  new RegExp(`(?<![\\w.+-])${contact.replace(/[^\w\s@]/g, '\\$&')}(?![\\w-]|\\.\\w)`, 'i').test(text)

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

/** RFC 8058: a mail program posts to the URL, without asking and without cookies. Not folded: some programs read one line. */
const oneClick = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

function optionsOf(
  { id, to, replyTo, subject, html, text, unsubscribeUrl }: Mail,
  from: string,
): SendMailOptions {
  return {
    from,
    to,
    ...(replyTo ? { replyTo } : {}),
    subject,
    html,
    text,
    messageId: `<notice-${id}@${from.replace(/^.*@|>$/g, '')}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl ? oneClick(unsubscribeUrl) : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
