import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { oneLine, withoutWebAddresses } from '../lib/names.ts'
import { firstCharacters } from '../lib/text.ts'
import { plainText } from './plain.ts'

/** One message, as rendered by its template. */
export interface Draft {
  subject: string
  /** If the recipient is not the agent of the notice. */
  to?: { name: string; address: string }
  /** Where replies go, if not to us. */
  replyTo?: { name: string; address: string }
  body: VNode
  /** Ends mail of this kind, with one click in mail programs. */
  unsubscribeUrl?: string
  /** Recorded once the mail is accepted. */
  sent?: () => Promise<void>
}

export interface Mail {
  /** The same on every attempt, so that mail servers and readers can detect a duplicate. */
  id: string
  kind: string
  to: { name: string; address: string }
  replyTo?: { name: string; address: string }
  subject: string
  html: string
  text: string
  unsubscribeUrl?: string
}

const MAX_SUBJECT = 150

const MAX_NAME = 80

/** A typed display name: one short line in which no mail program finds a link. */
export const nameInMail = (name: string): string =>
  firstCharacters(withoutWebAddresses(oneLine(name)), MAX_NAME)

export function composeMail(draft: Draft, head: Pick<Mail, 'id' | 'kind' | 'to'>): Mail {
  const { replyTo, unsubscribeUrl } = draft
  return {
    ...head,
    to: { name: nameInMail(head.to.name), address: head.to.address },
    ...(replyTo ? { replyTo: { name: nameInMail(replyTo.name), address: replyTo.address } } : {}),
    subject: firstCharacters(oneLine(draft.subject), MAX_SUBJECT),
    html: `<!doctype html>${render(draft.body)}`,
    text: plainText(draft.body),
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
  }
}
