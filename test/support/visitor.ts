import { randomBytes } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { type Exchange, PUBLIC_URL } from './exchange.ts'

export const PASSWORD = 'a long enough password'

export interface FileToSend {
  field: string
  name: string
  bytes: Buffer
}

type Fields = Record<string, string | readonly string[]>

interface FormOnPage {
  action: string
  isMultipart: boolean
  fields: [string, string][]
}

let visitors = 0

/** Someone with a browser without JavaScript: keeps cookies, follows redirects, fills in the page's forms. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #exchange: Pick<Exchange, 'app'>
  /** Each has its own address. */
  address = `10.${++visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
  status = 0
  /** After redirects. */
  path = ''
  html = ''
  headers: Record<string, unknown> = {}

  constructor(exchange: Pick<Exchange, 'app'>) {
    this.#exchange = exchange
  }

  /** What a person reads: no tags, entities decoded, single spaces. */
  get text(): string {
    return decode(
      this.html.replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, ' '),
    ).replace(/\s+/g, ' ')
  }

  async open(path: string): Promise<this> {
    await this.request('GET', path)
    return this.#followed()
  }

  /** Fills in the form with that action and sends it; other fields keep the page's values. `to`: the button's own action. */
  async submit(action: string, fields: Fields = {}, files: FileToSend[] = [], to = action): Promise<this> {
    const form = this.forms().find(one => one.action === action)
    if (!form) {
      const actions = this.forms().map(one => one.action)
      throw new Error(`no form for ${action} on ${this.path} (${this.status}), only ${actions.join(', ')}`)
    }
    const kept = form.fields.filter(([name]) => !(name in fields))
    const given = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map(one => [name, one] as [string, string]),
    )
    const all = [...kept, ...given]
    const sent = form.isMultipart ? multipart(all, files) : urlencoded(all)
    await this.request('POST', to, sent)
    return this.#followed()
  }

  /** One request as a browser on our own page sends it, without following redirects. */
  async request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { payload, headers = {} }: { payload?: string | Buffer; headers?: Record<string, string> } = {},
  ): Promise<this> {
    const options: InjectOptions = {
      method,
      url: path,
      remoteAddress: this.address,
      headers: {
        host: new URL(PUBLIC_URL).host,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method === 'GET' ? {} : { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    }
    const response = await this.#exchange.app.inject(options)
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) this.#keep(cookie)
    this.status = response.statusCode
    this.headers = response.headers
    this.html = response.body
    this.path = path
    return this
  }

  forms(): FormOnPage[] {
    return [...this.html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(
      ([, attributes = '', inner = '']) => ({
        action: attribute(attributes, 'action') ?? this.path,
        isMultipart: attribute(attributes, 'enctype') === 'multipart/form-data',
        fields: fieldsOf(inner),
      }),
    )
  }

  get token(): string {
    return attribute(/<meta name="form-token"[^>]*>/.exec(this.html)?.[0] ?? '', 'content') ?? ''
  }

  async signIn(email: string, password = PASSWORD): Promise<this> {
    await this.open('/portal/sign-in')
    return this.submit('/portal/sign-in', { email, password })
  }

  async #followed(): Promise<this> {
    for (let hops = 0; this.status >= 300 && this.status < 400 && this.headers.location; hops++) {
      if (hops > 5) throw new Error(`redirected in circles at ${this.path}`)
      await this.request('GET', String(this.headers.location))
    }
    return this
  }

  #keep(header: string): void {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** An agent with a password, and a visitor who is signed in as that agent. */
export async function signedInAgent(exchange: Exchange, overrides: Parameters<Exchange['agent']>[0] = {}) {
  const agent = await exchange.agent({ password: PASSWORD, ...overrides })
  const visitor = await new Visitor(exchange).signIn(agent.email)
  if (visitor.path !== '/portal') throw new Error(`could not sign in: ${visitor.text}`)
  return { agent, visitor }
}

/** The same picture in another file: readers ignore what follows it. */
export const inAnotherFile = (picture: Buffer): Buffer => Buffer.concat([picture, randomBytes(8)])

export const urlencoded = (fields: [string, string][]) => ({
  payload: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

export function multipart(fields: [string, string][], files: FileToSend[] = []) {
  const boundary = 'the-boundary-of-a-test'
  const field = ([name, value]: [string, string]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = ({ field: name, name: fileName, bytes }: FileToSend) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ])
  const payload = Buffer.concat([
    Buffer.from(fields.map(field).join('')),
    ...files.map(file),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

function fieldsOf(html: string): [string, string][] {
  const fields: [string, string][] = []
  const add = (tag: string, value: string) => {
    const name = attribute(tag, 'name')
    if (name) fields.push([name, value])
  }
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const type = attribute(tag, 'type') ?? 'text'
    const isOff = /^(checkbox|radio)$/.test(type) && !/\schecked\b/.test(tag)
    if (type !== 'file' && type !== 'submit' && !isOff) add(tag, attribute(tag, 'value') ?? '')
  }
  for (const [, tag = '', text = ''] of html.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs))
    add(tag, decode(text))
  for (const [, tag = '', inner = ''] of html.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const options = [...inner.matchAll(/<option\b[^>]*>/g)].map(([option]) => option)
    const chosen = options.find(option => /\sselected\b/.test(option)) ?? options[0]
    if (chosen) add(tag, attribute(chosen, 'value') ?? '')
  }
  return fields
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decode(value)
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}
const decode = (text: string) => text.replace(/&(lt|gt|quot|#39|amp);/g, entity => ENTITIES[entity] as string)
