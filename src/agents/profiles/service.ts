import type { Sql } from '../../db/database.ts'
import { atomically } from '../../db/database.ts'
import { optional, orBlank, readAll, text } from '../../lib/fields.ts'
import { phoneField } from '../../lib/phone.ts'
import { Problem } from '../../lib/problem.ts'
import { foldText } from '../../lib/text.ts'
import { publicUrlField } from '../../lib/urls.ts'
import * as agencyStore from '../agencies/store.ts'
import { MAX_NAME, personFields } from '../fields.ts'
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

const profileFields = {
  ...personFields,
  bio: optional(text({ max: 2_000 })),
  agency_wanted: optional(text({ max: MAX_NAME })),
}

const agencyPageFields = {
  phone: orBlank(phoneField),
  website: orBlank(publicUrlField),
  about: optional(text({ max: 3_000 })),
}

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
  const { agencyWanted, ...sent } = form
  const { name, phone, bio, agency_wanted } = readAll(profileFields, { ...sent, agency_wanted: agencyWanted })
  await atomically(db, async tx => {
    const before = await store.findOwnProfile(tx, agentId)
    await store.updateAgent(tx, agentId, {
      name,
      name_fold: foldText(name),
      phone,
      bio,
      languages: form.languages.filter(isLanguage),
      in_directory: form.isPublic,
      agency_wanted,
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
  await agencyStore.updateAgency(db, agencyId, readAll(agencyPageFields, { ...form }))
}

export async function setAgencyLogo(db: Sql, agentId: string, logoUrl: string): Promise<void> {
  const { agency_id: agencyId, is_agency_admin: isAdmin } = await store.findOwnProfile(db, agentId)
  if (!agencyId || !isAdmin) throw new Problem('not_found')
  await agencyStore.updateAgency(db, agencyId, { logo_url: logoUrl })
}
