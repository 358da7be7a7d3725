import type { FastifyInstance } from 'fastify'
import { numberText } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import { Badge } from '../../ui/badges.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { listNeeds, type NeedDeps, type NeedInList } from '../service.ts'
import { explain } from './explain.tsx'
import { budgetOf, HOME, headlineOf } from './words.tsx'

export function registerNeeds(app: FastifyInstance, { db, now }: NeedDeps): void {
  app.get('/needs', async (request, reply) => {
    const agent = signedIn(request)
    if (!agent.isVerified) return explain(request, reply)
    const { t } = request.visit
    const screen = {
      title: t('Busco', 'Needs'),
      section: 'needs' as const,
      subtitle: t(
        'Lo que buscan tus clientes. Te avisamos cuando un colega publica algo que coincide.',
        'What your clients are looking for. We notify you when a colleague publishes a match.',
      ),
    }
    const actions = (
      <span class="flex flex-wrap gap-2">
        <a class="btn btn-sm" href={`${HOME}/board`}>
          {t('Tablero de colegas', 'Colleagues’ board')}
        </a>
        <a class="btn btn-primary btn-sm" href={`${HOME}/new`}>
          {t('Nueva búsqueda', 'New need')}
        </a>
      </span>
    )
    const needs = await listNeeds(db, agent.id)
    return sendScreen(request, reply, { ...screen, actions }, <Needs needs={needs} now={now()} />)
  })
}

function Needs({ needs, now }: { needs: NeedInList[]; now: Date }) {
  const { t } = useVisit()
  if (needs.length === 0) {
    return (
      <Panel>
        <Empty icon="search" title={t('Aún no tienes búsquedas', 'No needs yet')}>
          {t(
            'Anota lo que busca un cliente: te mostramos lo que hay y te avisamos de lo nuevo.',
            'Write down what a client is looking for: we show you what is available and notify you of what is new.',
          )}
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel>
      <ul class="flex flex-col divide-y divide-base-300">
        {needs.map(need => (
          <Line key={need.id} need={need} isOver={need.until < now} />
        ))}
      </ul>
    </Panel>
  )
}

function Line({ need, isOver }: { need: NeedInList; isOver: boolean }) {
  const { t, lang } = useVisit()
  const [fresh, matches] = [need.fresh, need.matches].map(one => numberText(one, lang))
  const about = [need.client, budgetOf(need, lang)].filter(Boolean).join(' · ')
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <div class="min-w-0">
        <a class="link link-hover font-medium break-words" href={`${HOME}/${need.id}`}>
          {headlineOf(need, lang)}
        </a>
        <p class="text-sm break-words text-base-content/75">{about}</p>
      </div>
      <div class="flex flex-wrap items-center gap-2 text-sm">
        {isOver && <Badge tone="warning">{t('Vencida', 'Expired')}</Badge>}
        {need.on_board && <Badge tone="info">{t('En el tablero', 'On the board')}</Badge>}
        {need.fresh > 0 && <Badge tone="success">{t(`${fresh} recientes`, `${fresh} recent`)}</Badge>}
        <span>
          {need.matches === 1
            ? t('1 coincidencia', '1 match')
            : t(`${matches} coincidencias`, `${matches} matches`)}
        </span>
        <span class="text-base-content/75">
          {t('hasta', 'until')} <Time at={need.until} day />
        </span>
      </div>
    </li>
  )
}
