import { unsubscribeKeyOf } from '../../src/lib/unsubscribe.ts'
import type { Mail } from '../../src/notices/mail.ts'
import { sendNotice } from '../../src/notices/service.ts'
import type { NoticeRequest } from '../../src/outbox/store.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { type Exchange, PUBLIC_URL } from './exchange.ts'

/** Sends the queued mails and returns them, oldest first. */
export async function takeMail(exchange: Exchange): Promise<Mail[]> {
  const mails: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail)
      return 'memory'
    },
    close: () => {},
  }
  const { rows } = await exchange.pool.query<{ id: string; payload: NoticeRequest }>(
    'with taken as (delete from graphile_worker._private_jobs returning id, payload) select * from taken order by id',
  )
  const deps = {
    db: exchange.db,
    mailer,
    logger: exchange.app.log,
    publicUrl: PUBLIC_URL,
    reconfirmDays: 60,
    unsubscribeKey: async () => unsubscribeKeyOf(await sharedKey(exchange.db, undefined)),
  }
  for (const { id, payload } of rows) await sendNotice(deps, payload, String(id))
  return mails
}

/** The path of the link in a mail. */
export function linkIn(mail: Mail | undefined): string {
  const link = new RegExp(`${PUBLIC_URL}(/[^\\s>]+)`).exec(mail?.text ?? '')?.[1]
  if (!link) throw new Error(`no link in ${mail?.text}`)
  return link
}
