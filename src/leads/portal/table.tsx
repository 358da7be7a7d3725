import { phoneText } from '../../lib/phone.ts'
import { useVisit } from '../../portal/context.ts'
import { Pager } from '../../ui/pager.tsx'
import { Time } from '../../ui/time.tsx'
import { FollowUp } from './follow-up.tsx'
import { type InboxProps, inboxPath } from './inbox.ts'
import { KindBadges, nameOf, StageBadge } from './words.tsx'

export function LeadTable(props: InboxProps) {
  const { t } = useVisit()
  const { leads, filter, view, page, hasMore, now } = props
  return (
    <>
      <div class="overflow-x-auto rounded-box border border-base-300 bg-base-100">
        <table class="table">
          <thead class="text-base-content/80">
            <tr>
              <th>{t('Prospecto', 'Lead')}</th>
              <th class="hidden md:table-cell">{t('Propiedad', 'Listing')}</th>
              <th class="hidden sm:table-cell">{t('Etapa', 'Stage')}</th>
              <th class="hidden lg:table-cell">{t('Recibido', 'Received')}</th>
            </tr>
          </thead>
          <tbody>
            {leads.map(lead => (
              <tr key={lead.id} class="hover:bg-base-200/60">
                <td class="min-w-0">
                  <a class="link font-medium break-words link-hover" href={`/portal/leads/${lead.id}`}>
                    {nameOf(lead, t)}
                  </a>
                  <p class="text-sm break-all text-base-content/75">
                    {lead.phone ? phoneText(lead.phone) : lead.email}
                  </p>
                  <p class="flex flex-wrap gap-1.5">
                    <span class="sm:hidden">
                      <StageBadge stage={lead.status} />
                    </span>
                    <KindBadges lead={lead} />
                  </p>
                  <FollowUp lead={lead} now={now} />
                </td>
                <td class="hidden max-w-xs md:table-cell">
                  <span class="line-clamp-2 text-sm text-base-content/80">{lead.listing_title}</span>
                </td>
                <td class="hidden sm:table-cell">
                  <StageBadge stage={lead.status} />
                </td>
                <td class="hidden text-base-content/75 lg:table-cell">
                  <Time at={lead.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} hasMore={hasMore} hrefOf={page => inboxPath({ filter, view, page })} />
    </>
  )
}
