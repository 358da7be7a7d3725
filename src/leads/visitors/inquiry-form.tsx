import type { ComponentChildren } from 'preact'
import type { Lang, Words } from '../../lib/i18n.ts'
import type { Whereabouts } from '../../lib/zones.ts'
import type { SiteDeps } from '../../site/market.ts'
import { localPath, useVisit } from '../../site/visit.ts'
import { VisitorForm } from './form.tsx'
import { issueForm, type Refused } from './service.ts'

/** A contact form, new or returned with errors. */
export interface Inquiry {
  action: string
  token: string
  showings: boolean
  /** Where the listing is, unless the page shows more than one. */
  whereabouts?: Whereabouts
  /** Choices, when the page shows more than one. */
  listings?: readonly { id: string; title: string }[]
  now: number
  values?: URLSearchParams
  refused?: Refused
}

/** `path` is the listing or agent page, without language. */
export async function newInquiry(
  { visitors }: Pick<SiteDeps, 'visitors'>,
  lang: Lang,
  path: string,
  { showings, whereabouts }: Pick<Inquiry, 'showings' | 'whereabouts'>,
): Promise<Inquiry> {
  return {
    action: localPath(lang, `${path}/contacto`),
    token: await issueForm(visitors),
    showings: showings && visitors.takesShowings,
    now: visitors.now(),
    ...(whereabouts ? { whereabouts } : {}),
  }
}

export const inquiryLabel = ({ showings }: Inquiry, t: Words): string =>
  showings
    ? t('Contactar o pedir una visita', 'Contact or request a showing')
    : t('Contactar', 'Contact agent')

export function InquiryForm({ inquiry, otherWays }: { inquiry: Inquiry; otherWays?: ComponentChildren }) {
  const { to } = useVisit()
  return <VisitorForm {...inquiry} privacyHref={to('/privacidad')} otherWays={otherWays} />
}

export function InquirySection({ inquiry, agentName }: { inquiry: Inquiry; agentName: string }) {
  const { t } = useVisit()
  return (
    <section class="listing-section" id="contacto">
      <h2>{t(`Escríbele a ${agentName}`, `Contact ${agentName}`)}</h2>
      <div class="inquiry">
        <InquiryForm inquiry={inquiry} />
      </div>
    </section>
  )
}
