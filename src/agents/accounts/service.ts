import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { atomically, type Db, type Sql, violates } from '../../db/database.ts'
import { emailField } from '../../lib/email.ts'
import { optional, readAll, text } from '../../lib/fields.ts'
import type { Lang } from '../../lib/i18n.ts'
import { issue } from '../../lib/issue.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { kebab, uniqueSlug } from '../../lib/slug.ts'
import { foldText } from '../../lib/text.ts'
import { DAY_MS } from '../../lib/time.ts'
import { requestLetter } from '../../outbox/letters.ts'
import { endSessions } from '../../portal/sessions.ts'
import { MAX_NAME, personFields } from '../fields.ts'
import * as store from '../store.ts'
import { hashPassword, isPassword, passwordIssues } from './passwords.ts'
import * as tokens from './store.ts'
import { mayTry, mayTryFromDevice, openAgain, type Throttle } from './throttle.ts'

type SignIn =
  | { outcome: 'ok'; agentId: string }
  | { outcome: 'unconfirmed'; agentId: string }
  | { outcome: 'wrong' | 'too_many' }

/** No account has a longer address, so longer ones are neither looked up nor counted. */
const MAX_EMAIL = 254

const accountOf = (email: string) => email.trim().toLowerCase()

interface Credentials {
  email: string
  password: string
  address: string
  /** The known browser this may be, if any (portal/devices.ts). */
  device: ((agentId: string) => Promise<string | undefined>) | undefined
}

/** A wrong password and an unknown account get the same answer after the same time. */
export async function checkSignIn(
  db: Db,
  throttle: Throttle,
  { email, password, address, device }: Credentials,
): Promise<SignIn> {
  const { allowed: isAddressAllowed } = await throttle.address.take(address)
  if (!isAddressAllowed && !device) return { outcome: 'too_many' }
  if (email.length > MAX_EMAIL) return { outcome: 'wrong' }
  const account = accountOf(email)
  const agent = await store.findCredentials(db, account)
  const known = agent && (await device?.(agent.id))
  const isAllowed =
    (known !== undefined && (await mayTryFromDevice(throttle, known))) ||
    (isAddressAllowed && (await mayTry(throttle, account, address)))
  if (!isAllowed) return { outcome: 'too_many' }
  if (!(await isPassword(agent?.password_hash, password)) || !agent) return { outcome: 'wrong' }
  return { outcome: agent.email_confirmed_at ? 'ok' : 'unconfirmed', agentId: agent.id }
}

/** Required again before a key or a secret is shown. */
export async function confirmPassword(
  db: Db,
  throttle: Throttle,
  agent: { id: string; email: string },
  password: string | null,
): Promise<void> {
  // Counted under a key that only a signed-in agent, or the holder of an emailed link, can exhaust.
  const tries = `confirm ${agent.id}`
  if (!(await throttle.account.take(tries)).allowed) {
    throw new Problem('validation', { issues: [issue('password', 'too_many_tries')] })
  }
  const found = await store.findCredentials(db, agent.email)
  if (!(await isPassword(found?.password_hash, password ?? ''))) {
    throw new Problem('validation', { issues: [issue('password', 'wrong_password')] })
  }
  await throttle.account.forget(tries)
}

// ---- the account -----------------------------------------------------------------------------------------

interface SignUp {
  name: string
  email: string
  phone: string
  password: string
  agency: string | null
  lang: Lang
}

const signUpFields = {
  ...personFields,
  email: emailField,
  agency: optional(text({ max: MAX_NAME })),
}

/** The response is the same for new and known addresses; only the email to the owner differs. */
export async function signUp(db: Db, input: SignUp, now: Date): Promise<void> {
  const { password, lang } = input
  const issues = await passwordIssues(password)
  const { name, phone, email, agency } = readAll(signUpFields, input, issues)
  const columns = {
    name,
    name_fold: foldText(name),
    phone,
    password_hash: await hashPassword(password),
    agency_wanted: agency,
    lang,
  }
  const work = db.transaction().execute(async tx => {
    const known = await store.findCredentials(tx, email)
    if (known?.email_confirmed_at) return requestAccountLetter(tx, 'exists', { ...known, email }, now)
    // The address is unconfirmed, so the first sign-up has no claim to it; the link asks for the password.
    if (known) await store.updateAgent(tx, known.id, columns)
    const plain = kebab(name, 'agente')
    const slug = (await store.isSlugFree(tx, plain)) ? plain : uniqueSlug(name, 'agente')
    const { id } = known ?? (await store.insertUnconfirmed(tx, { ...columns, email, slug }))
    return requestAccountLetter(tx, 'confirm', { id, email, email_confirmed_at: null }, now)
  })
  await work.catch(error => {
    // The same form was sent twice at once: the other request created the account and sent the email.
    if (!violates(error, 'agents_email')) throw error
  })
}

/** A new link for an unconfirmed agent who entered the right password. */
export async function sendConfirmation(db: Db, agentId: string, now: Date): Promise<void> {
  const agent = await store.findRecipient(db, agentId)
  if (agent) await requestAccountLetter(db, 'confirm', { ...agent, id: agentId }, now)
}

/** The confirmation again, for someone who waits for it; silent about whether the account exists. */
export async function confirmAgain(
  db: Db,
  throttle: Throttle,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<void> {
  if (!(await throttle.address.take(address)).allowed || email.length > MAX_EMAIL) return
  const account = accountOf(email)
  const agent = await store.findCredentials(db, account)
  const kind = agent?.email_confirmed_at ? 'exists' : 'confirm'
  await requestAccountLetter(db, kind, { ...(agent ?? nobody()), email: account }, now)
}

const nobody = () => ({ id: randomUUID(), email_confirmed_at: null })

const requestAccountLetter = (
  db: Sql,
  kind: 'confirm' | 'exists' | 'reset',
  account: { id: string; email: string; email_confirmed_at: Date | null },
  now: Date,
) =>
  requestLetter(
    db,
    { kind, agentId: account.id, ids: [] },
    { to: account.email, isProven: account.email_confirmed_at !== null, now },
  )

/** An unknown address costs as much as a known one: its email is prepared but not sent. */
export async function forgotPassword(
  db: Db,
  throttle: Throttle,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<void> {
  if (!(await throttle.address.take(address)).allowed || email.length > MAX_EMAIL) return
  const account = accountOf(email)
  if (!(await throttle.account.take(`reset ${account}`)).allowed) return
  const agent = await store.findCredentials(db, account)
  await requestAccountLetter(db, 'reset', { ...(agent ?? nobody()), email: account }, now)
}

/** Needs both the emailed link and the password: an account created in someone else's name stays locked. */
export async function confirmEmail(
  db: Db,
  throttle: Throttle,
  { token, password, now }: { token: string; password: string; now: Date },
): Promise<string> {
  const agent = await findByToken(db, token, 'confirm', now)
  await confirmPassword(db, throttle, agent, password)
  await db.transaction().execute(async tx => {
    await useToken(tx, token)
    await store.updateAccount(tx, agent.id, { email_confirmed_at: now })
  })
  return agent.id
}

/**
 * Access to the mailbox proves the agent: the address counts as confirmed, every session ends, and earlier failed
 * attempts by strangers no longer delay the sign-in.
 */
export async function resetPassword(
  db: Db,
  throttle: Throttle,
  { token, password, address, now }: { token: string; password: string; address: string; now: Date },
): Promise<string> {
  const agent = await findByToken(db, token, 'reset', now)
  refuseIfAny(await passwordIssues(password, 'new_password'))
  const hash = await hashPassword(password)
  await db.transaction().execute(async tx => {
    await useToken(tx, token)
    await store.updateAccount(tx, agent.id, { password_hash: hash, email_confirmed_at: now })
    await endSessions(tx, agent.id)
  })
  await openAgain(throttle, accountOf(agent.email), address)
  return agent.id
}

/** Links requested earlier stop working. */
export async function setPassword(db: Db, agentId: string, password: string): Promise<void> {
  refuseIfAny(await passwordIssues(password, 'new_password'))
  const hash = await hashPassword(password)
  await db.transaction().execute(async tx => {
    await store.updateAccount(tx, agentId, { password_hash: hash })
    await tokens.deleteTokens(tx, agentId, 'reset')
  })
}

/** Ends every session and emailed link; the password stays. */
export function signOutEverywhere(db: Sql, agentId: string): Promise<void> {
  return atomically(db, async tx => {
    await endSessions(tx, agentId)
    await tokens.deleteTokens(tx, agentId, 'reset')
  })
}

// ---- emailed links --------------------------------------------------------------------------------------

const LIFETIME_MS = { confirm: 3 * DAY_MS, reset: 3_600_000 }
export type Purpose = keyof typeof LIFETIME_MS

const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** Only the newest link works. Created when the email is rendered, so it is never stored in a queue. */
export async function issueToken(
  db: Db,
  agentId: string,
  purpose: Purpose,
  now = new Date(),
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.transaction().execute(async tx => {
    await tokens.deleteTokens(tx, agentId, purpose)
    await tokens.insertToken(tx, {
      hash: hashToken(token),
      agent_id: agentId,
      purpose,
      expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]),
    })
  })
  return token
}

/** Throws not_found for a link that was used, has expired or never existed. */
export async function findByToken(db: Sql, token: string, purpose: Purpose, now: Date) {
  const agent = await tokens.findByToken(db, hashToken(token), purpose, now)
  if (!agent) throw new Problem('not_found')
  return agent
}

async function useToken(tx: Sql, token: string): Promise<void> {
  if (!(await tokens.deleteToken(tx, hashToken(token)))) throw new Problem('not_found')
}
