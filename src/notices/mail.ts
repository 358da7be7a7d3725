import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { plainText } from './plain.ts'

/** One message, as its template made it. */
export interface Draft {
  subject: string
  /** Another than the agent whom the notice is about. */
  to?: { name: string; address: string }
  /** Whom an answer goes to, if not to us. */
  replyTo?: { name: string; address: string }
  body: VNode
}

export interface Mail {
  /** The same at every try, so that a mail server or a reader can tell a second copy. */
  id: string
  kind: string
  to: { name: string; address: string }
  replyTo?: { name: string; address: string }
  subject: string
  html: string
  text: string
}

const MAX_SUBJECT = 150

/** Line breaks would begin a new header, and other controls or direction marks only serve to deceive. */
export const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export function composeMail(draft: Draft, head: Pick<Mail, 'id' | 'kind' | 'to'>): Mail {
  const { replyTo } = draft
  return {
    ...head,
    to: { name: oneLine(head.to.name), address: head.to.address },
    ...(replyTo ? { replyTo: { name: oneLine(replyTo.name), address: replyTo.address } } : {}),
    subject: [...oneLine(draft.subject)].slice(0, MAX_SUBJECT).join(''),
    html: `<!doctype html>${render(draft.body)}`,
    text: plainText(draft.body),
  }
}
