import { type AlertRow, beginMail, findAlert } from '../alerts/service.ts'
import type { Db } from '../db/database.ts'
import { oneLine, withoutWebAddresses } from '../lib/names.ts'
import { unsubscribeToken, unsubscribeUrl } from '../lib/unsubscribe.ts'
import { chipsOf } from '../listings/public/filters.ts'
import { listingRecord } from '../listings/record.ts'
import { listPublic } from '../listings/syndication.ts'
import type { AlertMail } from '../outbox/store.ts'
import { localPath } from '../site/visit.ts'
import { placeName, priceText, titleOf } from '../site/words.ts'
import { alertEndingEmail, alertLinkEmail, alertMatchesEmail } from './alerts.email.tsx'
import type { Draft } from './mail.ts'

interface AlertMailDeps {
  db: Db
  publicUrl: string
  unsubscribeKey(): Promise<Buffer>
}

const MOST_IN_MAIL = 20

/** Mail to visitors about their alerts. The private link is created now: the queue never holds one that works. */
export async function draftAlert(
  deps: AlertMailDeps,
  { kind, ids: [id] }: AlertMail,
  job: string,
): Promise<(Draft & Required<Pick<Draft, 'to'>>) | undefined> {
  if (kind === 'alert-matches') {
    const begun = await beginMail(deps.db, id, job)
    return begun && draftMatches(deps, begun.alert, begun.listings)
  }
  const alert = await findAlert(deps.db, id)
  if (!alert) return undefined
  const links = await linksOf(deps, alert)
  const { lang } = alert
  if (kind === 'alert-link')
    return {
      to: toOf(alert),
      ...alertLinkEmail({ ...links, isConfirmed: alert.confirmed_at !== null }, lang),
    }
  return alert.warned_at
    ? { to: toOf(alert), ...alertEndingEmail({ ...links, search: searchText(alert) }, lang) }
    : undefined
}

const toOf = ({ email }: AlertRow) => ({ name: '', address: email })

async function linksOf({ publicUrl, unsubscribeKey }: AlertMailDeps, { id, lang }: AlertRow) {
  const token = unsubscribeToken(await unsubscribeKey(), 'alerts', id)
  return {
    url: `${publicUrl}${localPath(lang, `/avisos/${token}`)}`,
    unsubscribeUrl: unsubscribeUrl(publicUrl, lang, token),
  }
}

/** The filters in words. They were typed: no mail program shall find a link in them. */
const searchText = ({ query, lang }: AlertRow) =>
  withoutWebAddresses(
    oneLine(
      chipsOf(new URLSearchParams(query), lang)
        .map(({ text }) => text)
        .join(' · '),
    ),
  )

async function draftMatches(deps: AlertMailDeps, alert: AlertRow, listings: string[]) {
  const { db, publicUrl } = deps
  const { lang, query } = alert
  const rows = await listPublic(db, listings)
  if (rows.length === 0) return undefined
  const found = rows.slice(0, MOST_IN_MAIL).map(row => {
    const listing = listingRecord(row, null, publicUrl)
    return {
      title: titleOf(listing, lang),
      price: listing.operations.map(one => priceText(one, lang)).join(' / '),
      place: placeName(listing.location),
      url: `${publicUrl}${localPath(lang, `/propiedades/${listing.slug}`)}`,
    }
  })
  const about = {
    ...(await linksOf(deps, alert)),
    found,
    more: rows.length - found.length,
    search: searchText(alert),
    resultsUrl: `${publicUrl}${localPath(lang, `/propiedades?${query}`)}`,
  }
  return { to: toOf(alert), ...alertMatchesEmail(about, lang) }
}
