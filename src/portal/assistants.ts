/**
 * Screens on which an assistant works in the name of their agent. On every other, and on any new one, an assistant is
 * only themselves: keys, webhooks, the profile and the account are not theirs to use.
 */
const SHARED = /^\/portal(\/(listings|doctor|leads|contacts|tasks|calendar)(\/.*)?)?$/

/** Parts of them that stay with the agent: documents, erasing, taking people's data away or giving them to others. */
const RESERVED = [
  '/portal/leads/export.csv',
  '/portal/leads/:id/erase',
  '/portal/leads/:id/hand-over',
  '/portal/calendar/renew',
]
const DOCUMENTS = '/portal/leads/:id/identification/'

/** `route` is the pattern that matched, not the address, which can be written in several ways. */
export const isShared = (route: string): boolean =>
  SHARED.test(route) && !RESERVED.includes(route) && !route.startsWith(DOCUMENTS)
