import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { cookie, cookieName, readCookies } from '../http/cookies.ts'
import { type Lang, type Words, wordsIn } from '../lib/i18n.ts'
import { isShared as isSharedWithAssistants } from './assistants.ts'
import { type DeviceDeps, rememberDevice } from './devices.ts'
import {
  endSession,
  findSession,
  newSecretId,
  openSession,
  type PortalAgent,
  REMEMBERED_DAYS,
} from './sessions.ts'

type Theme = 'light' | 'dark' | 'system'

export interface Flash {
  kind: 'success' | 'info' | 'warning' | 'error'
  text: string
}

/** The visitor and their preferences, created once per request. */
export interface Visit {
  /** Undefined for a visitor who is not signed in. */
  agent: PortalAgent | undefined
  sessionHash: Buffer | undefined
  lang: Lang
  t: Words
  theme: Theme
  /** CSRF token, present in every form. */
  formToken: string
  /** Path of this page, without the query. */
  path: string
  flash: Flash | undefined
}

export interface VisitDeps {
  db: Db
  /** Whether the site is served over https. */
  secure: boolean
  now: () => Date
}

const SESSION = 'sid'
const FLASH = 'flash'
const LANG = 'lang'
const THEME = 'theme'
/** Browsers drop cookies above 4 kB. */
const MAX_FLASH = 500
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * Derived from the session id, which only the visitor's browser holds: nothing to store, it changes at each sign-in, and
 * visitors who are not signed in have one too.
 */
const formTokenOf = (secretId: string) => createHash('sha256').update(`form ${secretId}`).digest('base64url')

export function isFormToken(visit: Visit, sent: string | undefined | null): boolean {
  const [a, b] = [Buffer.from(sent ?? ''), Buffer.from(visit.formToken)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether the request may come from someone who changes things in the portal. */
export const hasSession = ({ headers }: FastifyRequest, secure: boolean): boolean =>
  readCookies(headers.cookie).has(cookieName(SESSION, secure))

export async function readVisit(
  { db, secure, now }: VisitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit> {
  const cookies = readCookies(request.headers.cookie)
  const read = (name: string) => cookies.get(cookieName(name, secure))
  const sent = read(SESSION)
  const secretId = sent && /^[\w-]{43}$/.test(sent) ? sent : newSecretId()
  if (secretId !== sent) reply.header('set-cookie', cookie(SESSION, secretId, { secure }))
  const session = secretId === sent ? await findSession(db, secretId, now()) : undefined
  const isShared = session?.principal && isSharedWithAssistants(request.routeOptions.url ?? '')
  const lang = session?.agent.lang ?? (read(LANG) === 'en' ? 'en' : 'es')
  const theme = read(THEME)
  return {
    agent: isShared ? session.principal : session?.agent,
    sessionHash: session?.hash,
    lang,
    t: wordsIn(lang),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    formToken: formTokenOf(secretId),
    path: request.url.split('?', 1)[0] as string,
    flash: readFlash(read(FLASH)),
  }
}

export async function signIn(
  deps: VisitDeps & DeviceDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  agentId: string,
  isRemembered = false,
): Promise<void> {
  const { db, secure, now } = deps
  if (request.visit.sessionHash) await endSession(db, request.visit.sessionHash)
  const browser = request.headers['user-agent'] ?? ''
  const secretId = await openSession(db, { agentId, now: now(), address: request.ip, browser, isRemembered })
  const lifetime = isRemembered ? { maxAgeSeconds: REMEMBERED_DAYS * 24 * 3600 } : {}
  reply.header('set-cookie', cookie(SESSION, secretId, { secure, ...lifetime }))
  await rememberDevice(deps, reply, agentId)
}

export async function signOut({ db, secure }: VisitDeps, request: FastifyRequest, reply: FastifyReply) {
  if (request.visit.sessionHash) await endSession(db, request.visit.sessionHash)
  reply.header('set-cookie', cookie(SESSION, newSecretId(), { secure }))
}

/** Flash messages live in a visitor cookie: no session needed, and forging one affects only that browser. */
export function setFlash(reply: FastifyReply, secure: boolean, flash: Flash): void {
  const value = Buffer.from(JSON.stringify([flash.kind, flash.text.slice(0, MAX_FLASH)])).toString(
    'base64url',
  )
  reply.header('set-cookie', cookie(FLASH, value, { secure, maxAgeSeconds: 120 }))
}

export function clearFlash(reply: FastifyReply, secure: boolean): void {
  reply.header('set-cookie', cookie(FLASH, '', { secure, maxAgeSeconds: 0 }))
}

const FLASH_KINDS = ['success', 'info', 'warning', 'error']

function readFlash(value: string | undefined): Flash | undefined {
  if (!value) return undefined
  try {
    const [kind, text] = JSON.parse(Buffer.from(value, 'base64url').toString())
    return FLASH_KINDS.includes(kind) && typeof text === 'string' ? { kind, text } : undefined
  } catch {
    return undefined
  }
}

export function rememberChoice(
  reply: FastifyReply,
  secure: boolean,
  choice: { lang?: Lang; theme?: Theme },
): void {
  const options = { secure, maxAgeSeconds: YEAR_SECONDS }
  if (choice.lang) reply.header('set-cookie', cookie(LANG, choice.lang, options))
  if (choice.theme) reply.header('set-cookie', cookie(THEME, choice.theme, options))
}
