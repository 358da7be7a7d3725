import type { FastifyInstance } from 'fastify'
import { CONFIRM_HOURS } from '../../alerts/rules.ts'
import { SHOWING_DAYS } from '../../leads/rules.ts'
import { PRIVACY_EDITION } from '../../leads/visitors/service.ts'
import type { Lang } from '../../lib/i18n.ts'
import { noticeText, withFacts } from '../../settings/notice.ts'
import { Prose } from '../../ui/prose.tsx'
import { sendSitePage } from '../layout.tsx'
import type { SiteDeps } from '../market.ts'
import { localPath, visitOf } from '../visit.ts'
import { dateText } from '../words.ts'

/** The operator's edition of the notice, or the default one. */
export function registerPrivacy(app: FastifyInstance, deps: SiteDeps, lang: Lang): void {
  app.get(localPath(lang, '/privacidad'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/privacidad')
    const { t } = visit
    const title = t('Aviso de privacidad', 'Privacy notice')
    const { notice } = deps.settings
    const operator = { host: new URL(deps.publicUrl).host, contact: deps.privacyContact }
    const text = withFacts(noticeText(notice?.text, operator, lang), {
      id_days: deps.idRetentionDays,
      id_days_max: SHOWING_DAYS + deps.idRetentionDays,
      alert_hours: CONFIRM_HOURS,
    })
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: t(
          'Qué datos pedimos a quien pregunta por una propiedad, para qué y por cuánto tiempo.',
          'What data we ask for when you inquire about a property, why, and how long we keep it.',
        ),
      },
      <article class="wrap prose-page py-10">
        <h1 class="page-title">{title}</h1>
        <p>
          {t('Edición del', 'Edition of')}{' '}
          {dateText(notice?.changedAt.toISOString() ?? `${PRIVACY_EDITION}T12:00:00Z`, lang)}
        </p>
        <Prose text={text} />
      </article>,
    )
  })
}
