import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Action,
  may,
  otherRole,
  ROLES,
  type Role,
  STATES,
  type State,
  stepFields,
} from '../../src/cooperation/rules.ts'
import { broughtTo, type Cooperation, soon } from '../support/cooperation.ts'
import { useExchange } from '../support/exchange.ts'
import { routesOf } from '../support/routes.ts'
import { multipart, signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()

type Who = 'stranger' | 'unverified' | 'uninvolved' | 'buyer' | 'owner' | 'operator'
const visitors = {} as Record<Who, Visitor>
/** In both directions: proposed for a client, and offered to a need. */
const cooperations: { state: State; proposed_by: Role; awaited: Role | null; one: Cooperation }[] = []

beforeAll(async () => {
  for (const proposed_by of ROLES) {
    for (const state of STATES) {
      const awaited = state === 'proposed' ? otherRole(proposed_by) : null
      cooperations.push({ state, proposed_by, awaited, one: await broughtTo(exchange, state, proposed_by) })
    }
  }
  const { owner, buyer } = (cooperations[0] as (typeof cooperations)[0]).one
  visitors.stranger = await new Visitor(exchange).open('/portal/sign-in')
  visitors.unverified = (await signedInAgent(exchange, { verified: false })).visitor
  visitors.uninvolved = (await signedInAgent(exchange)).visitor
  visitors.buyer = buyer.visitor
  visitors.owner = owner.visitor
  const operator = await signedInAgent(exchange)
  await exchange.pool.query('update agents set is_operator = true where id = $1', [operator.agent.id])
  visitors.operator = operator.visitor
}, 60_000)

const routes = () =>
  routesOf(exchange.app).filter(({ path }) => /^\/portal\/(cooperations|operator\/disputes)\/:id/.test(path))

/** Values with which every step is complete, except that a lead of somebody else is none. */
const FIELDS: [string, string][] = [
  ['text', 'Un texto'],
  ['split', '3'],
  ['showing_at', soon()],
  ['lead', '00000000-0000-4000-8000-000000000000'],
]

async function knock(who: Who, method: 'GET' | 'POST', path: string): Promise<number> {
  const visitor = visitors[who]
  const fields: [string, string][] = [['_token', tokens[who]], ...FIELDS]
  const sent = path.endsWith('/file') ? multipart(fields) : urlencoded(fields)
  await visitor.request(method, path, method === 'POST' ? sent : {})
  return visitor.status
}
const tokens = {} as Record<Who, string>

const everything = async () =>
  JSON.stringify(
    await Promise.all(
      ['cooperations', 'cooperation_entries', 'leads'].map(
        async table => (await exchange.pool.query(`select * from ${table} order by id`)).rows,
      ),
    ),
  )

describe('every route of a cooperation, in every state', () => {
  beforeAll(async () => {
    for (const who of Object.keys(visitors) as Who[]) {
      await visitors[who].open('/portal/sign-in')
      if (visitors[who].path !== '/portal/sign-in') await visitors[who].open('/portal')
      tokens[who] = visitors[who].token
      expect(tokens[who], who).not.toBe('')
    }
  })

  it('is one of these', () => {
    const names = routes().map(
      ({ method, path }) => `${method} ${path.replace(/^\/portal\/cooperations\/:id\/?/, '')}`,
    )
    expect(names.sort()).toEqual(
      [
        'GET ',
        'GET agreement.pdf',
        'GET files/:entry',
        ...Object.keys(stepFields).map(step => `POST ${step}`),
        'GET /portal/operator/disputes/:id',
        'GET /portal/operator/disputes/:id/files/:entry',
        'POST /portal/operator/disputes/:id/resolve',
      ].sort(),
    )
  })

  it.each([
    ['stranger', 303],
    ['unverified', 403],
    ['uninvolved', 404],
    ['operator', 404],
  ] as const)('answers a %s with %i, and nothing changes', async (who, status) => {
    const before = await everything()
    for (const { state, one } of cooperations) {
      for (const { method, path } of routes()) {
        const isDesk = path.startsWith('/portal/operator')
        const url = path.replace(':id', one.id).replace(':entry', '1')
        const expected = isDesk ? 404 : status
        expect(`${state} ${path}: ${await knock(who, method as 'GET', url)}`).toBe(
          `${state} ${path}: ${expected}`,
        )
      }
    }
    expect(await everything()).toBe(before)
  })

  it.each(['buyer', 'owner'] as const)(
    'shows the %s the page and takes no step that the rules refuse',
    async who => {
      const before = await everything()
      for (const { one, ...standing } of cooperations) {
        const { path } = one
        const { state } = standing
        const isAllowed = (action: Action) => may(action, standing, who)
        expect(await knock(who, 'GET', path)).toBe(200)
        expect(await knock(who, 'GET', `${path}/agreement.pdf`)).toBe(isAllowed('agreement') ? 200 : 404)
        const offered = visitors[who].forms().map(form => form.action)
        for (const step of (Object.keys(stepFields) as Action[]).filter(one => !isAllowed(one))) {
          expect(offered).not.toContain(`${path}/${step}`)
          expect(`${state} ${step}: ${await knock(who, 'POST', `${path}/${step}`)}`).toBe(
            `${state} ${step}: 422`,
          )
          if (step !== 'file') expect(visitors[who].text).toContain('Este paso ya no es posible')
        }
      }
      expect(await everything()).toBe(before)
    },
  )

  it('offers each of the two exactly the steps the rules allow and that make sense', async () => {
    for (const who of ['buyer', 'owner'] as const) {
      for (const { one, ...standing } of cooperations) {
        const { path } = one
        await knock(who, 'GET', path)
        const offered = visitors[who]
          .forms()
          .map(form => form.action)
          .filter(action => action.startsWith(path))
          .map(action => action.slice(path.length + 1))
        const allowed = (Object.keys(stepFields) as Action[]).filter(step => may(step, standing, who))
        // The buyer is identified in all of these: nothing to link or to ask for.
        expect(offered.sort()).toEqual(
          allowed.filter(step => step !== 'attach' && step !== 'identify').sort(),
        )
      }
    }
  })
})
