import { atomically, type Db, type Sql } from '../../db/database.ts'
import { preparePicture } from '../../files/images.ts'
import { mediaPath } from '../../files/routes.ts'
import { discard } from '../../files/storage.ts'
import { accepting, type Uploads } from '../../files/uploads.ts'
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

/** Languages an agent can list, by ISO code. */
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

/** An agent's public data. Listings carry the name and phone, so they count as changed too. */
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

interface PictureDeps {
  db: Db
  uploads: Uploads
}

/** Returns false if the image cannot be decoded. */
export async function setPhoto({ db, uploads }: PictureDeps, agentId: string, bytes: Buffer) {
  const picture = await preparePicture(bytes, { face: { maxSide: 480, square: true } }, agentId)
  if (!picture) return false
  const before = await accepting(db, uploads, agentId, async (tx, keep) => {
    const { photo } = await store.findOwnProfile(tx, agentId)
    await store.updateAgent(tx, agentId, { photo: picture.names.face })
    await keep('media', picture)
    return photo
  })
  await discardPhoto(uploads, before)
  return true
}

export async function removePhoto({ db, uploads }: PictureDeps, agentId: string): Promise<void> {
  const { photo } = await store.findOwnProfile(db, agentId)
  await store.updateAgent(db, agentId, { photo: null })
  await discardPhoto(uploads, photo)
}

/** Portraits of the demo are no files. */
async function discardPhoto({ files }: Uploads, photo: string | null): Promise<void> {
  if (photo && !photo.startsWith('/')) await discard(files, 'media', [photo])
}

interface AgencyForm {
  phone: string
  website: string
  about: string
}

/** Only for the agency's manager; not_found for everyone else. */
export async function updateAgencyPage(db: Sql, agentId: string, form: AgencyForm): Promise<void> {
  const agencyId = await requireOwnAgency(db, agentId)
  await agencyStore.updateAgency(db, agencyId, readAll(agencyPageFields, { ...form }))
}

/** Returns false if the image cannot be decoded. */
export async function setAgencyLogo(
  { db, uploads, publicUrl }: PictureDeps & { publicUrl: string },
  agentId: string,
  bytes: Buffer,
): Promise<boolean> {
  // Check permission before decoding the image.
  await requireOwnAgency(db, agentId)
  const picture = await preparePicture(bytes, { logo: { maxSide: 480 } }, agentId)
  if (!picture) return false
  const before = await accepting(db, uploads, agentId, async (tx, keep) => {
    const agencyId = await requireOwnAgency(tx, agentId)
    const agency = await agencyStore.findAgency(tx, agencyId)
    await agencyStore.updateAgency(tx, agencyId, { logo_url: publicUrl + mediaPath(picture.names.logo) })
    await keep('media', picture)
    return agency?.logo_url
  })
  const ours = publicUrl + mediaPath('')
  if (before?.startsWith(ours)) await discard(uploads.files, 'media', [before.slice(ours.length)])
  return true
}

/** Of its manager. */
async function requireOwnAgency(db: Sql, agentId: string): Promise<string> {
  const { agency_id: agencyId, is_agency_admin: isAdmin } = await store.findOwnProfile(db, agentId)
  if (!agencyId || !isAdmin) throw new Problem('not_found')
  return agencyId
}
