import { numberText } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { Time } from '../../ui/time.tsx'
import { LEAD_STATUSES } from '../rules.ts'
import type { LeadRow } from '../service.ts'
import { FollowUp } from './follow-up.tsx'
import { type InboxProps, inboxPath } from './inbox.ts'
import { StageForm } from './stage.tsx'
import { KindBadges, nameOf, stageWords } from './words.tsx'

/** Cards per column; the table shows the rest. */
const COLUMN_LIMIT = 20

export function Board({ leads, counts, filter, now }: InboxProps) {
  const { t, lang } = useVisit()
  const words = stageWords(t)
  return (
    <div class="-mx-4 overflow-x-auto px-4 pb-3 sm:-mx-8 sm:px-8" data-board>
      <div class="grid auto-cols-[17rem] grid-flow-col items-start gap-4">
        {LEAD_STATUSES.map(stage => {
          const inStage = leads.filter(lead => lead.status === stage)
          const count = filter.q ? inStage.length : (counts[stage] ?? 0)
          return (
            <section
              key={stage}
              class="flex min-w-0 flex-col gap-3 rounded-box bg-base-300/50 p-3"
              aria-label={words[stage]}
              data-stage={stage}
            >
              <h2 class="flex items-center justify-between px-1 text-sm font-semibold">
                {words[stage]}
                <span class="font-normal tabular-nums">{numberText(count, lang)}</span>
              </h2>
              <ul class="flex flex-col gap-3">
                {inStage.slice(0, COLUMN_LIMIT).map(lead => (
                  <LeadCard key={lead.id} lead={lead} now={now} />
                ))}
              </ul>
              {count > COLUMN_LIMIT && (
                <a
                  class="link px-1 text-sm"
                  href={inboxPath({ filter: { ...filter, status: stage }, view: 'table' })}
                >
                  {t(`Ver los ${count}`, `See all ${count}`)}
                </a>
              )}
            </section>
          )
        })}
      </div>
    </div>
  )
}

function LeadCard({ lead, now }: { lead: LeadRow; now: Date }) {
  const { t } = useVisit()
  return (
    <li
      class="flex min-w-0 flex-col gap-1.5 rounded-field border border-base-300 bg-base-100 p-3 text-sm shadow-xs"
      data-lead={lead.id}
    >
      <a class="link truncate font-medium link-hover" href={`/portal/leads/${lead.id}`}>
        {nameOf(lead, t)}
      </a>
      {lead.listing_title && <p class="truncate text-base-content/75">{lead.listing_title}</p>}
      <p class="flex flex-wrap items-center gap-1.5 text-base-content/75">
        <Time at={lead.created_at} day />
        <KindBadges lead={lead} />
      </p>
      <FollowUp lead={lead} now={now} />
      <StageForm lead={lead} back="/portal/leads" />
    </li>
  )
}
