import { beforeAll, describe, expect, it, vi } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { PRIVACY_EDITION } from '../../src/leads/visitors/service.ts'
import { LIMITS, limitNames } from '../../src/settings/rules.ts'
import { LiveSettings } from '../../src/settings/service.ts'
import { dateText } from '../../src/site/words.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { clock, inquire, leadsOf, market, useClock } from '../support/inquiries.ts'
import { signedInAgent, Visitor } from '../support/visitor.ts'

const RATE_LIMIT = 500
const exchange = useExchange({ rateLimit: RATE_LIMIT, ...useClock() })

const LIMITS_PAGE = '/portal/operator/limits'
const NOTICE_PAGE = '/portal/operator/notice'

let agent: TestAgent
let visitor: Visitor

beforeAll(async () => {
  ;({ agent, visitor } = await signedInAgent(exchange, { name: 'Olga Operadora' }))
  await setOperator(exchange.db, agent.email, true)
})

const entries = (action: string) =>
  exchange.db.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('id').execute()
const allowed = async () => (await exchange.get('/meta')).headers['x-ratelimit-limit']

describe('limits', () => {
  it('apply at once, in other processes within seconds, and end with an empty field; every change is on record', async () => {
    const other = new LiveSettings(
      exchange.db,
      Object.fromEntries(limitNames.map(name => [name, 7])) as never,
    )
    await other.follow()
    await visitor.open(LIMITS_PAGE)
    expect(visitor.text).toContain('Predeterminado: 500. Entre 10 y 1,000,000.')
    await visitor.submit(LIMITS_PAGE, { rate_limit: '1,200', upload_mb: '50' })
    expect(visitor.text).toContain('Límites guardados.')
    expect(visitor.html).toContain('value="1,200"')
    expect(await allowed()).toBe('1200')
    await vi.waitFor(
      () => expect(other.limits).toMatchObject({ rate_limit: 1200, upload_mb: 50, upload_files: 7 }),
      20_000,
    )
    await visitor.submit(LIMITS_PAGE, { rate_limit: '' })
    expect(await allowed()).toBe(String(RATE_LIMIT))
    await visitor.submit(LIMITS_PAGE, {})
    expect(visitor.text).toContain('No cambió nada.')
    expect(await entries('limits.change')).toMatchObject([
      { operator_id: agent.id, note: 'rate_limit: default → 1200; upload_mb: default → 50' },
      { operator_id: agent.id, note: 'rate_limit: 1200 → default' },
    ])
    expect(visitor.text).toContain('Olga Operadora')
    await vi.waitFor(() => expect(other.limits.rate_limit).toBe(7), 20_000)
    await other.stop()
  })

  it('outside their bounds or no numbers are rejected together, and nothing is stored', async () => {
    await visitor.open(LIMITS_PAGE)
    const before = await exchange.db.selectFrom('setting_changes').select('id').execute()
    await visitor.submit(LIMITS_PAGE, {
      rate_limit: String(LIMITS.rate_limit.min - 1),
      forms_per_address: 'muchos',
      upload_files: '1,00',
      upload_mb: '99999999999999999999',
      upload_unverified_mb: '30',
    })
    expect(visitor.status).toBe(422)
    expect(visitor.html.match(/aria-invalid="true"/g)).toHaveLength(4)
    expect(visitor.html).toContain('value="muchos"')
    expect(await exchange.db.selectFrom('setting_changes').select('id').execute()).toEqual(before)
  })

  it('of uploads and visitors’ forms are those of the desk', async () => {
    await visitor.open(LIMITS_PAGE)
    await visitor.submit(LIMITS_PAGE, { forms_per_address: '1' })
    const { listingPath } = await market(exchange, await exchange.agent())
    const person = new Visitor(exchange)
    await inquire(exchange, listingPath, undefined, person)
    expect(person.status).toBe(200)
    await inquire(exchange, listingPath, undefined, person)
    expect(person.status).toBe(429)
    await visitor.submit(LIMITS_PAGE, { forms_per_address: '' })
  })
})

const TEXT = `## Casa <b>nueva</b>

Escribe a privacidad@casa.example o ve a https://casa.example/aviso. Se borra en {id_days} días.

- uno
- dos & tres

${'Más texto. '.repeat(30)}`

describe('the privacy notice', () => {
  it('is the default one with its date until an operator writes another, which is shown as text with links', async () => {
    const site = new Visitor(exchange)
    await site.open('/privacidad')
    expect(site.text).toContain('Edición del 17 de noviembre de 2026')
    expect(site.text).toContain('se borra 30 días después de la visita')
    await visitor.open(NOTICE_PAGE)
    await visitor.submit(NOTICE_PAGE, { notice_es: TEXT, notice_en: `In English. ${TEXT}` })
    expect(visitor.text).toContain('Publicamos la edición nueva.')
    await site.open('/privacidad')
    expect(site.html).toContain('<h2>Casa &lt;b>nueva&lt;/b></h2>')
    expect(site.html).toContain('href="mailto:privacidad@casa.example"')
    expect(site.html).toContain('href="https://casa.example/aviso"')
    expect(site.html).toContain('<ul><li>uno</li><li>dos &amp; tres</li></ul>')
    expect(site.text).toContain('Se borra en 30 días.')
    expect(site.text).toContain(`Edición del ${dateText(new Date().toISOString(), 'es')}`)
    expect((await site.open('/en/privacy')).text).toContain('In English.')
    expect(await entries('notice.change')).toMatchObject([{ operator_id: agent.id, note: null }])
  })

  it('is recorded with a message in the edition that the visitor saw', async () => {
    const { listingPath } = await market(exchange, agent)
    // Editions have the database's time.
    clock.now = Date.now()
    const early = new Visitor(exchange)
    await early.open(listingPath)
    await visitor.open(NOTICE_PAGE)
    await visitor.submit(`${NOTICE_PAGE}/reset`)
    clock.now = Date.now() + 5_000
    await early.submit(`${listingPath}/contacto`, { name: 'Eva', email: 'eva@example.com', consent: 'on' })
    await inquire(exchange, listingPath)
    const [first, second] = (await leadsOf(exchange, agent.id)).sort(
      (a, b) => Number(a.consent_at) - Number(b.consent_at),
    )
    const { changed_at } = await exchange.db
      .selectFrom('setting_changes')
      .select('changed_at')
      .where('name', '=', 'privacy_notice')
      .where('value', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(first?.consent_notice).toBe(changed_at.toISOString())
    expect(second?.consent_notice).toBe(PRIVACY_EDITION)
  })

  it('needs a text in both languages; one that is empty or too long comes back as it was typed', async () => {
    await visitor.open(NOTICE_PAGE)
    await visitor.submit(NOTICE_PAGE, { notice_es: 'Corto', notice_en: 'x'.repeat(20_001) })
    expect(visitor.status).toBe(422)
    expect(visitor.html.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(visitor.html).toContain('>Corto</textarea>')
    await visitor.open(NOTICE_PAGE)
    await visitor.submit(NOTICE_PAGE)
    expect(visitor.text).toContain('No cambió nada.')
  })
})
