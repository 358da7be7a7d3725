import { beforeAll, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { createCollection } from '../../src/collections/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { askForShowing, DOCUMENT, identify, inquire, market, person, useClock } from '../support/inquiries.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let visitor: Visitor
/** Ids of the records that forms are about. */
const made: Record<string, string> = {}

beforeAll(async () => {
  ;({ agent, visitor } = await signedInAgent(exchange))
  await setOperator(exchange.db, agent.email, true)
  const agency = await exchange.db
    .insertInto('agencies')
    .values({ name: 'Grupo Sur', name_fold: 'grupo sur', slug: 'grupo-sur', logo_url: null, active: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await exchange.db
    .updateTable('agents')
    .set({ agency_id: agency.id, is_agency_admin: true })
    .where('id', '=', agent.id)
    .execute()
  const { listing, listingPath } = await market(exchange, agent)
  const { lead, link } = await askForShowing(exchange, agent, listingPath)
  await identify(exchange, link)
  const webhook = await subscribe(exchange, agent, 'https://crm.example.com/')
  Object.assign(made, {
    listing: listing.id,
    listingPath,
    lead: lead.id,
    webhook: webhook.id,
    collection: await createCollection(exchange.db, agent.id, { value: { title: 'Casas' }, issues: [] }),
  })
})

type Fields = Record<string, string | string[]>

/** The form, its wrong input, and the message next to the field or, without one, above the form. */
const FORMS: [
  name: string,
  page: string,
  action: string,
  sent: Fields,
  field: string,
  es: string,
  en: string,
][] = [
  [
    'the password',
    '/account',
    '/account/password',
    { password: PASSWORD, new_password: 'short' },
    'new_password',
    'Debe tener al menos 10 caracteres.',
    'Must be at least 10 characters.',
  ],
  [
    'the profile',
    '/profile',
    '/profile',
    { phone: '12' },
    'phone',
    'Debe ser un teléfono de México o con clave de país.',
    'Must be a Mexican or international number.',
  ],
  [
    'the agency’s page',
    '/agency',
    '/agency',
    { website: 'http://localhost/' },
    'website',
    'Debe ser una dirección pública que empiece con https://.',
    'Must be a public address that begins with https://.',
  ],
  ['a key', '/keys', '/keys', { label: '', password: PASSWORD }, 'label', 'Es obligatorio.', 'Is required.'],
  [
    'a webhook',
    '/webhooks',
    '/webhooks',
    { url: 'http://x', password: PASSWORD },
    'url',
    'Debe empezar con https://.',
    'Must start with https://.',
  ],
  [
    'a webhook’s events',
    '/webhooks/{webhook}',
    '/webhooks/{webhook}/events',
    { events: [] },
    'events',
    'Elige al menos uno.',
    'Choose at least one.',
  ],
  [
    'a webhook’s secret',
    '/webhooks/{webhook}',
    '/webhooks/{webhook}/secret',
    { password: 'wrong' },
    'password',
    'No es correcta.',
    'Is not correct.',
  ],
  [
    'a widget',
    '/widgets',
    '/widgets',
    { name: 'Mi sitio', domains: 'not a domain' },
    'domains',
    'Lleva un dominio por línea, como www.ejemplo.com: revisa «not».',
    'Must name one domain per line, such as www.example.com: not.',
  ],
  ['a collection', '/collections', '/collections', { title: '' }, 'title', 'Es obligatorio.', 'Is required.'],
  [
    'a collection that changes',
    '/collections/{collection}',
    '/collections/{collection}/edit',
    { title: 'x'.repeat(121) },
    'title',
    'Debe tener 120 caracteres como máximo.',
    'Must be at most 120 characters.',
  ],
  [
    'a new listing',
    '/listings/new',
    '/listings/new',
    { sale_price: 'mucho' },
    'sale_price',
    'Escribe una cantidad como 1,250,000 o 1,250,000.50.',
    'Enter an amount like 1,250,000 or 1,250,000.50.',
  ],
  [
    'a listing that changed meanwhile',
    '/listings/{listing}/edit',
    '/listings/{listing}/edit',
    { version: 'another' },
    '',
    'La propiedad cambió desde que abriste esta página',
    'The listing changed since you opened this page',
  ],
  [
    'linked photos',
    '/listings/{listing}/photos',
    '/listings/{listing}/photos/links',
    { urls: 'https://a.example/1.jpg x' },
    'urls',
    '2: no es una dirección pública que empiece con https://.',
    '2: is not a public URL that starts with https://.',
  ],
  [
    'a lead’s details',
    '/leads/{lead}',
    '/leads/{lead}/details',
    { budget_min: '9', budget_max: '5' },
    'budget_max',
    'No puede ser menor que el mínimo.',
    'Must not be below the lowest budget.',
  ],
  [
    'a lead’s showing',
    '/leads/{lead}',
    '/leads/{lead}/details',
    { tour_status: 'confirmed' },
    'tour_status',
    'Se puede confirmar cuando aceptes su identificación.',
    'Can be confirmed once you have accepted the visitor’s identification.',
  ],
  [
    'a lead’s notes',
    '/leads/{lead}',
    '/leads/{lead}/notes',
    { note: ' ' },
    'note',
    'Es obligatorio.',
    'Is required.',
  ],
  [
    'a lead’s identification',
    '/leads/{lead}',
    '/leads/{lead}/identification/refuse',
    { reason: 'no' },
    'reason',
    'Debe tener al menos 5 caracteres.',
    'Must be at least 5 characters.',
  ],
  [
    'the erasure of a person',
    '/leads/{lead}/erase',
    '/leads/{lead}/erase',
    {},
    'sure',
    'Marca la casilla para confirmarlo.',
    'Check the box to confirm.',
  ],
  [
    'an agency',
    '/operator/agencies',
    '/operator/agencies',
    { name: 'Grupo Sur' },
    '',
    'Ya hay una inmobiliaria con ese nombre.',
    'There is already an agency with that name.',
  ],
  [
    'an operator’s decision',
    '/operator/identifications/{lead}',
    '/operator/identifications/{lead}/refuse',
    { reason: 'no' },
    'reason',
    'Debe tener al menos 5 caracteres.',
    'Must be at least 5 characters.',
  ],
]

const pathOf = (pattern: string) =>
  `/portal${pattern.replace(/\{(\w+)\}/g, (_, name: string) => made[name] as string)}`

/** Next to the field, or without one the line above the form. */
function said(page: Visitor, field: string): string | undefined {
  const pattern =
    field === '' ? /role="alert"[^>]*><span>([^<]*)</ : new RegExp(`id="${field}-error"[^>]*>([^<]*)<`)
  return pattern.exec(page.html)?.[1]
}

describe.each(['es', 'en'] as const)('in %s, rejections are in that language:', lang => {
  it.each(FORMS)('%s', async (_name, page, action, sent, field, es, en) => {
    await visitor.open(pathOf(page))
    await visitor.submit('/portal/preferences', { lang })
    await visitor.open(pathOf(page))
    await visitor.submit(pathOf(action), sent)
    expect(visitor.status).toBe(422)
    expect(said(visitor, field)).toContain(lang === 'es' ? es : en)
  })

  it('signing in', async () => {
    const stranger = await new Visitor(exchange).open('/portal/sign-in')
    await stranger.submit('/portal/preferences', { lang })
    await stranger.open('/portal/sign-in')
    await stranger.submit('/portal/sign-in', { email: agent.email, password: 'wrong' })
    expect(said(stranger, '')).toBe(
      lang === 'es'
        ? 'El correo o la contraseña no son correctos.'
        : 'The email or the password is not correct.',
    )
  })

  it('signing up', async () => {
    const stranger = await new Visitor(exchange).open('/portal/sign-up')
    await stranger.submit('/portal/preferences', { lang })
    await stranger.open('/portal/sign-up')
    await stranger.submit('/portal/sign-up', {
      name: 'Eva',
      email: 'eva',
      phone: '33 1234 5678',
      password: PASSWORD,
    })
    expect(said(stranger, 'email')).toBe(
      lang === 'es' ? 'Debe tener la forma nombre@ejemplo.com.' : 'Must look like name@example.com.',
    )
  })

  it('a license', async () => {
    const { visitor: newcomer } = await signedInAgent(exchange, { verified: false })
    await newcomer.open('/portal/licence')
    await newcomer.submit('/portal/preferences', { lang })
    await newcomer.open('/portal/licence')
    await newcomer.submit('/portal/licence', { state: 'Jalisco', authority: 'x', number: '12' })
    expect([said(newcomer, 'authority'), said(newcomer, 'document')]).toEqual(
      lang === 'es'
        ? ['Debe tener al menos 2 caracteres.', 'Es obligatorio.']
        : ['Must be at least 2 characters.', 'Is required.'],
    )
  })

  it('an inquiry of a visitor', async () => {
    const path = `${lang === 'en' ? '/en' : ''}${made.listingPath}`
    const page = await inquire(exchange, path, person({ email: '', phone: '', consent: '' }))
    expect(page.status).toBe(422)
    expect([said(page, 'visitor-email'), said(page, 'visitor-consent')]).toEqual(
      lang === 'es'
        ? ['Escribe tu correo o un teléfono.', 'Falta aceptarlo.']
        : ['Enter your email or a phone number.', 'Please accept it.'],
    )
  })

  it('an identification', async () => {
    const { link } = await askForShowing(exchange, agent, made.listingPath as string)
    const path = lang === 'en' ? link.replace('/identificacion/', '/en/identification/') : link
    const photo = Buffer.from('no photo')
    expect(said(await identify(exchange, path, { ...DOCUMENT, number: '' }, photo), 'number')).toBe(
      lang === 'es' ? 'Debe tener al menos 2 caracteres.' : 'Must be at least 2 characters.',
    )
    expect(said(await identify(exchange, path, DOCUMENT, photo), 'picture')).toBe(
      lang === 'es'
        ? 'Debe ser una foto JPEG, PNG o WebP que podamos leer.'
        : 'Must be a JPEG, PNG or WebP photo that we can read.',
    )
  })

  it('a search', async () => {
    const page = await new Visitor(exchange).open(
      `${lang === 'en' ? '/en' : ''}/propiedades?lat=20&lng=-99&radius_km=500`,
    )
    expect(page.text).toContain(
      lang === 'es'
        ? 'Distancia (km): debe ser mayor que 0 y de 200 como máximo.'
        : 'Distance (km): must be greater than 0 and at most 200.',
    )
  })
})
