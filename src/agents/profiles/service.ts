import type { Sql } from '../../db/database.ts'
import { atomically } from '../../db/database.ts'
import { cleanText, lengthOf } from '../../lib/fields.ts'
import { type Issue, issue } from '../../lib/issue.ts'
import { normalisePhone } from '../../lib/phone.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { foldText } from '../../lib/text.ts'
import { isPublicUrl, MAX_URL } from '../../lib/urls.ts'
import { personIssues } from '../accounts/service.ts'
import * as agencyStore from '../agencies/store.ts'
import * as store from '../store.ts'

export { findAgency, listColleagues } from '../agencies/store.ts'
export { findOwnProfile } from '../store.ts'

/** Languages an agent may say to speak, by ISO code. */
export const LANGUAGES = {
  es: { es: 'Español', en: 'Spanish' },
  en: { es: 'Inglés', en: 'English' },
  fr: { es: 'Francés', en: 'French' },
  de: { es: 'Alemán', en: 'German' },
  it: { es: 'Italiano', en: 'Italian' },
  pt: { es: 'Portugués', en: 'Portuguese' },
  zh: { es: 'Chino', en: 'Chinese' },
  ja: { es: 'Japonés', en: 'Japanese' },
  ko: { es: 'Coreano', en: 'Korean' },
  ru: { es: 'Ruso', en: 'Russian' },
  nah: { es: 'Náhuatl', en: 'Nahuatl' },
  yua: { es: 'Maya', en: 'Maya' },
} as const
const isLanguage = (code: string): code is keyof typeof LANGUAGES => Object.hasOwn(LANGUAGES, code)

const MAX_BIO = 2_000
const MAX_ABOUT = 3_000

interface ProfileForm {
  name: string
  phone: string
  bio: string
  languages: string[]
  isPublic: boolean
  agencyWanted: string
}

/** What the public sees of an agent. Listings carry the name and phone, so that they count as changed too. */
export async function updateProfile(db: Sql, agentId: string, form: ProfileForm): Promise<void> {
  const name = cleanText(form.name)
  const bio = cleanText(form.bio)
  const agencyWanted = cleanText(form.agencyWanted)
  const issues = personIssues({ name, phone: form.phone })
  if (lengthOf(bio) > MAX_BIO) issues.push(issue('bio', 'too_long', { max: MAX_BIO }))
  if (lengthOf(agencyWanted) > 120) issues.push(issue('agency_wanted', 'too_long', { max: 120 }))
  refuseIfAny(issues)
  await atomically(db, async tx => {
    const before = await store.findOwnProfile(tx, agentId)
    const phone = normalisePhone(form.phone) as string
    await store.updateAgent(tx, agentId, {
      name,
      name_fold: foldText(name),
      phone,
      bio: bio || null,
      languages: form.languages.filter(isLanguage),
      in_directory: form.isPublic,
      agency_wanted: agencyWanted || null,
    })
    if (before.name !== name || before.phone !== phone) await store.touchListings(tx, agentId)
  })
}

/** Answers the name of the picture it replaces, for whoever keeps the files. */
export async function setPhoto(db: Sql, agentId: string, photo: string | null): Promise<string | null> {
  const before = await store.findOwnProfile(db, agentId)
  await store.updateAgent(db, agentId, { photo })
  return before.photo
}

interface AgencyForm {
  phone: string
  website: string
  about: string
}

/** Only whoever looks after the agency; to others it does not exist. */
export async function updateAgencyPage(db: Sql, agentId: string, form: AgencyForm): Promise<void> {
  const { agency_id: agencyId, is_agency_admin: isAdmin } = await store.findOwnProfile(db, agentId)
  if (!agencyId || !isAdmin) throw new Problem('not_found')
  const [website, about] = [form.website.trim(), cleanText(form.about)]
  const phone = form.phone.trim() === '' ? null : normalisePhone(form.phone)
  const issues: Issue[] = []
  if (phone === undefined) issues.push(issue('phone', 'not_a_phone'))
  if (website !== '' && !isPublicUrl(website))
    issues.push(issue('website', 'not_a_public_url', { max: MAX_URL }))
  if (lengthOf(about) > MAX_ABOUT) issues.push(issue('about', 'too_long', { max: MAX_ABOUT }))
  refuseIfAny(issues)
  await agencyStore.updateAgency(db, agencyId, {
    phone: phone ?? null,
    website: website || null,
    about: about || null,
  })
}

export async function setAgencyLogo(db: Sql, agentId: string, logoUrl: string): Promise<void> {
  const { agency_id: agencyId, is_agency_admin: isAdmin } = await store.findOwnProfile(db, agentId)
  if (!agencyId || !isAdmin) throw new Problem('not_found')
  await agencyStore.updateAgency(db, agencyId, { logo_url: logoUrl })
}
