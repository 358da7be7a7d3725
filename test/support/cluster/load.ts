import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { int, pick, type Random } from '../../../src/demo/random.ts'
import { type Answer, HOUSE } from '../exchange.ts'
import { Follower } from '../follower.ts'
import { inAnotherFile, Visitor } from '../visitor.ts'
import type { Client, Reply, Sent } from './client.ts'

export interface LoadAgent {
  id: string
  email: string
  key: string
}

interface State {
  price: number
  status: 'draft' | 'published' | 'withdrawn'
}

/** What the exchange has confirmed, and so must have at the end. */
export class Ledger {
  readonly listings = new Map<string, State>()
  /** Of a listing: its photos. */
  readonly photos = new Map<string, number>()
  /** Email addresses of people who were told that their message has been sent. */
  readonly leads = new Set<string>()
  /** How often the changes above have caused each event of a listing (by its id) or of a lead (by the email address). */
  readonly events = new Map<string, number>()
  /** Events of which there may be one more. */
  readonly doubtful = new Set<string>()
  writes = 0

  cause(event: string): void {
    this.events.set(event, (this.events.get(event) ?? 0) + 1)
  }
}

const CITIES = ['Guadalajara', 'Zapopan', 'Mérida', 'Tijuana']
const QUESTIONS = [
  'limit=20',
  'operation=sale&min_bedrooms=2',
  'city=Zapopan&sort=price_asc',
  'q=casa%20con%20jard%C3%ADn',
  'max_price=3000000&limit=5',
]
const JSON_TYPE = { 'content-type': 'application/json' }

/** People and programs that use the exchange, each at its own pace, until they are stopped; they rest while paused. */
export class Load {
  readonly ledger = new Ledger()
  readonly followers: Follower[] = []
  /** Answers that nobody should get. */
  readonly surprises: string[] = []
  /** Followers that were asked to start over. */
  restarts = 0
  readonly #client: Client
  readonly #random: Random
  readonly #agents: LoadAgent[]
  readonly #photo: Buffer
  readonly #actors: Promise<void>[] = []
  readonly #slugs = new Map<string, string>()
  #names = 0
  #busy = 0
  #isPaused = false
  #isOver = false

  constructor(client: Client, random: Random, agents: LoadAgent[], photo: Buffer) {
    this.#client = client
    this.#random = random
    this.#agents = agents
    this.#photo = photo
  }

  start(): void {
    for (const agent of this.#agents) {
      const own: string[] = []
      this.#act(450, () => this.#write(agent, own))
      this.#act(250, () => this.#read(agent))
      this.#follow(agent)
    }
    const [first] = this.#agents as [LoadAgent]
    const portal = this.#browser()
    this.#act(3_000, () => this.#upload(first, portal))
    this.#act(1_000, () => this.#inquire())
  }

  /** Until nothing is in progress. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#busy > 0) await sleep(20)
  }

  resume(): void {
    this.#isPaused = false
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#actors)
  }

  #act(everyMs: number, step: () => Promise<void>): void {
    const loop = async () => {
      while (!this.#isOver) {
        await sleep(everyMs * (0.5 + this.#random()))
        if (this.#isPaused) continue
        this.#busy++
        await step().catch(error => this.surprises.push(String(error)))
        this.#busy--
      }
    }
    this.#actors.push(loop())
  }

  #api(method: string, path: string, agent: LoadAgent, body?: unknown, idempotencyKey?: string): Sent {
    return {
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${agent.key}`,
        ...(body === undefined ? {} : JSON_TYPE),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
  }

  /** A POST, sent again under its key until its first answer arrives. */
  async #post(path: string, agent: LoadAgent, body?: unknown): Promise<Reply> {
    const key = `${agent.id}-${++this.#names}`
    for (;;) {
      const reply = await this.#client.send(this.#api('POST', path, agent, body, key))
      // The first one, whose answer was lost, is still running.
      if (reply.status !== 409) return reply
      await sleep(1_000)
    }
  }

  async #write(agent: LoadAgent, own: string[]): Promise<void> {
    const chance = this.#random()
    const id = own.length > 0 ? pick(this.#random, own) : ''
    if (!id || chance < 0.3) return this.#create(agent, own)
    if (chance < 0.6) return this.#change(agent, id)
    if (chance < 0.85) return this.#turn(agent, id, 'publish')
    if (chance < 0.92) return this.#turn(agent, id, 'unpublish')
    own.splice(own.indexOf(id), 1)
    return this.#delete(agent, id)
  }

  async #create(agent: LoadAgent, own: string[]): Promise<void> {
    const price = int(this.#random, 1_000_000, 6_000_000)
    const city = pick(this.#random, CITIES)
    const reply = await this.#post('/properties', agent, { ...HOUSE, city, sale_price: price })
    const { id, slug } = expected(reply, 201)
    this.#confirm(id, { price, status: 'draft' })
    this.#slugs.set(id, slug)
    own.push(id)
  }

  async #change(agent: LoadAgent, id: string): Promise<void> {
    const price = int(this.#random, 1_000_000, 6_000_000)
    const reply = await this.#client.send(this.#api('PUT', `/properties/${id}`, agent, { sale_price: price }))
    expected(reply, 200)
    this.#confirm(id, { price })
  }

  async #turn(agent: LoadAgent, id: string, verb: 'publish' | 'unpublish'): Promise<void> {
    expected(await this.#post(`/properties/${id}/${verb}`, agent), 200)
    this.ledger.cause(`listing.${verb}ed ${id}`)
    this.#confirm(id, { status: verb === 'publish' ? 'published' : 'draft' })
  }

  async #delete(agent: LoadAgent, id: string): Promise<void> {
    const reply = await this.#client.send(this.#api('DELETE', `/properties/${id}`, agent))
    expected(reply, 200)
    const event = `listing.unpublished ${id}`
    this.ledger.cause(event)
    // One that got no answer may have been done as well, and each is an event.
    if (reply.hasFailed) this.ledger.doubtful.add(event)
    this.#confirm(id, { status: 'withdrawn' })
  }

  #confirm(id: string, change: Partial<State>): void {
    const before = this.ledger.listings.get(id) ?? { price: 0, status: 'draft' }
    this.ledger.listings.set(id, { ...before, ...change })
    this.ledger.writes++
  }

  async #read(agent: LoadAgent): Promise<void> {
    const chance = this.#random()
    const get = (path: string) => this.#client.send(this.#api('GET', path, agent))
    if (chance < 0.6) expected(await get(`/properties?${pick(this.#random, QUESTIONS)}`), 200)
    else if (chance < 0.75) {
      const ids = [...this.ledger.listings.keys()]
      if (ids.length > 0) expected(await get(`/properties/${pick(this.#random, ids)}`), 200, 404)
    } else if (chance < 0.9) expected(await this.#client.send({ method: 'GET', path: '/propiedades' }), 200)
    else expected(await get('/digest'), 200)
  }

  #follow(agent: LoadAgent): void {
    const get = async (path: string): Promise<Answer> => {
      const reply = await this.#client.send(this.#api('GET', path, agent))
      return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body) }
    }
    const follower = new Follower(get, 'scope=all')
    this.followers.push(follower)
    this.#act(200, async () => void (await this.#nextPage(follower, 2)))
  }

  /** Whether there is more. */
  async #nextPage(follower: Follower, wait: number): Promise<boolean> {
    const { status, body } = await follower.ask({ cursor: follower.cursor, wait })
    if (status === 200) {
      follower.apply(body)
      return body.more
    }
    if (status !== 410) throw new Error(`/changes answered ${status} ${JSON.stringify(body)}`)
    this.restarts++
    follower.cursor = undefined
    follower.copy.clear()
    return true
  }

  /** While paused: every follower reads to the end. */
  async catchUp(): Promise<void> {
    for (const follower of this.followers) while (await this.#nextPage(follower, 0));
  }

  /** Someone with a browser, whose requests go through the proxy. */
  #browser(): Visitor {
    const inject = async ({ method = 'GET', url, headers, payload, remoteAddress }: InjectOptions) => {
      const reply = await this.#client.send({
        method,
        path: String(url),
        headers: { ...(headers as Record<string, string>), 'x-forwarded-for': remoteAddress ?? '' },
        body: payload as string | Buffer | undefined,
      })
      return { statusCode: reply.status, headers: reply.headers, body: reply.body }
    }
    return new Visitor({ app: { inject } as unknown as FastifyInstance })
  }

  async #upload(agent: LoadAgent, portal: Visitor): Promise<void> {
    if (portal.cookies.size === 0) await portal.signIn(agent.email)
    const { photos } = this.ledger
    if (photos.size < 5 || this.#random() < 0.1) {
      const { id } = expected(await this.#post('/properties', agent, HOUSE), 201)
      this.#confirm(id, { price: HOUSE.sale_price, status: 'draft' })
      photos.set(id, 0)
    }
    const id = pick(this.#random, [...photos.keys()])
    const path = `/portal/listings/${id}/photos`
    await portal.open(path)
    const file = { field: 'photos', name: 'a.jpg', bytes: inAnotherFile(this.#photo) }
    await portal.submit(path, {}, [file])
    if (portal.status !== 200) throw new Error(`the photo got ${portal.status}: ${portal.text.slice(0, 300)}`)
    photos.set(id, (photos.get(id) ?? 0) + 1)
    this.ledger.writes++
  }

  /** Opens the page of a listing, reads for two seconds and a bit, and sends its form. */
  async #inquire(): Promise<void> {
    const isPublished = (id: string) => this.ledger.listings.get(id)?.status === 'published'
    const slugs = [...this.#slugs].filter(([id]) => isPublished(id)).map(([, slug]) => slug)
    if (slugs.length === 0) return
    const visitor = this.#browser()
    const path = `/propiedades/${pick(this.#random, slugs)}`
    await visitor.open(path)
    const hasForm = () => visitor.forms().some(({ action }) => action === `${path}/contacto`)
    // Withdrawn meanwhile, or not yet where this page came from.
    if (!hasForm()) return
    await sleep(2_200)
    const email = `visitor-${++this.#names}@example.com`
    const fields = { name: 'Rosa Elena Cárdenas', email, message: '¿Sigue disponible?', consent: 'on' }
    await visitor.submit(`${path}/contacto`, fields)
    // A listing that was withdrawn while the visitor wrote.
    if (visitor.status === 404 || visitor.status === 410) return
    if (visitor.status !== 200)
      throw new Error(`the form got ${visitor.status}: ${visitor.text.slice(0, 300)}`)
    this.ledger.leads.add(email)
    this.ledger.cause(`lead.created ${email}`)
    this.ledger.writes++
  }
}

function expected({ status, body }: Reply, ...statuses: number[]) {
  if (!statuses.includes(status)) throw new Error(`${status} instead of ${statuses}: ${body.slice(0, 300)}`)
  return body ? JSON.parse(body.startsWith('{') ? body : '{}') : {}
}
