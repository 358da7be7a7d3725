import { type FollowOptions, follow, type Round } from './follow.ts'
import { type Settings, send } from './http.ts'
import { OPERATIONS, type Operations } from './types.ts'

export type Name = keyof Operations
export type Answer<N extends Name> = Operations[N]['answer']

export interface CallOptions {
  /** Aborts the call and its pauses. */
  signal?: AbortSignal
  /** The version you read: `precondition_failed` if the listing changed since. */
  ifMatch?: string
  /** Yours, to repeat a POST even after your program was restarted. Without it, each call gets one of its own. */
  idempotencyKey?: string
}

type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }
/** Nothing, if the operation needs nothing. */
type Request<N extends Name> = keyof Required<Operations[N]['request']> extends never
  ? [request?: Operations[N]['request'], options?: CallOptions]
  : [request: Operations[N]['request'], options?: CallOptions]

/** Lists that are read page by page. */
type Paged = 'searchListings' | 'listMyListings' | 'listLeads'
type Item<N extends Paged> = Answer<N>['content'][number]

type Methods = { [N in Name]: (...args: Request<N>) => Promise<Answer<N>> }

/** Every operation of the API by its name, and what makes several calls. */
export interface Lonja extends Methods {
  /** Every entry of a list, page after page, however long it is. */
  each<N extends Paged>(name: N, ...args: Request<N>): AsyncGenerator<Item<N>, void, undefined>
  /** Keeps a copy exact, proves it and repairs it. */
  follow(options: FollowOptions): AsyncGenerator<Round, void, undefined>
}

export function openLonja(settings: Settings): Lonja {
  const call = async (name: Name, request: Parameters = {}, options: CallOptions = {}) => {
    const response = await send(settings, callOf(settings, name, request, options))
    return { answer: await response.json(), next: nextOf(response) }
  }
  async function* each(name: Name, request: Parameters = {}, options: CallOptions = {}) {
    for (let query: Parameters | undefined = request; query; ) {
      const { answer, next } = await call(name, query, options)
      yield* answer.content
      query = next
    }
  }
  const methods = Object.fromEntries(
    (Object.keys(OPERATIONS) as Name[]).map(name => [
      name,
      async (request?: Parameters, options?: CallOptions) => (await call(name, request, options)).answer,
    ]),
  ) as unknown as Methods
  const lonja: Lonja = { ...methods, each: each as Lonja['each'], follow: options => follow(lonja, options) }
  return lonja
}

type Parameters = Record<string, unknown>

function callOf(
  { baseUrl, key }: Settings,
  name: Name,
  { body, ...parameters }: Parameters,
  { signal, ifMatch, idempotencyKey }: CallOptions,
) {
  const [method, template] = OPERATIONS[name]
  const query = new URLSearchParams()
  const path = template.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(String(parameters[part])),
  )
  for (const [parameter, value] of Object.entries(parameters)) {
    if (template.includes(`{${parameter}}`) || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(parameter, String(one))
  }
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch.replaceAll('"', '')}"`
  if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID()
  const url = `${baseUrl.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
  return { method, url, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

/** The parameters of the next page, which `Link` gives whole. */
function nextOf(response: Response): Parameters | undefined {
  const [, address] = /<([^>]*)>; *rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  if (address === undefined) return undefined
  const query = new URL(address, response.url || 'https://lonja.invalid').searchParams
  return Object.fromEntries([...new Set(query.keys())].map(name => [name, query.getAll(name)]))
}
