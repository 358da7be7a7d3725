import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Answer } from './exchange.ts'

export interface Change {
  op: 'put' | 'remove'
  id: string
  version: string
  // biome-ignore lint/suspicious/noExplicitAny: a record of any shape
  listing?: any
}

export interface Page {
  content: Change[]
  cursor: string
  more: boolean
}

/** The hash of a set as the contract defines it, written as simply as possible. */
export function hashOf(members: Iterable<[id: string, version: string]>): string {
  let word = 0n
  for (const [id, version] of members) {
    word ^= createHash('sha256').update(`${id}:${version}`).digest().readBigUInt64BE()
  }
  return word.toString(16).padStart(16, '0')
}

/** A client that keeps a copy of everything its key can see. */
export class Follower {
  // biome-ignore lint/suspicious/noExplicitAny: records of any shape
  readonly copy = new Map<string, any>()
  /** Every id it ever received. */
  readonly ids = new Set<string>()
  cursor: string | undefined
  readonly #get: (path: string) => Promise<Answer>
  readonly #query: string

  constructor(get: (path: string) => Promise<Answer>, query = '') {
    this.#get = get
    this.#query = query
  }

  ask(parameters: { cursor?: string | undefined; limit?: number; wait?: number }): Promise<Answer> {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    return this.#get(`/changes?${query}&${this.#query}`)
  }

  /** Fetches and applies one page. */
  async page(options: { cursor?: string | undefined; limit?: number; wait?: number } = {}): Promise<Page> {
    const { status, body } = await this.ask({ cursor: this.cursor, ...options })
    expect(status, JSON.stringify(body)).toBe(200)
    this.apply(body)
    return body
  }

  apply({ content, cursor }: Page): void {
    for (const { op, id, version, listing } of content) {
      this.ids.add(id)
      if (op === 'put') {
        expect([listing.id, listing.version]).toEqual([id, version])
        this.copy.set(id, listing)
      } else this.copy.delete(id)
    }
    this.cursor = cursor
  }

  /** Until there is nothing more; returns what arrived. */
  async follow(limit?: number): Promise<Change[]> {
    const changes: Change[] = []
    for (;;) {
      const { content, more } = await this.page(limit === undefined ? {} : { limit })
      changes.push(...content)
      if (!more) return changes
    }
  }

  digest(): { count: number; hash: string } {
    const members = [...this.copy.values()].map(({ id, version }): [string, string] => [id, version])
    return { count: members.length, hash: hashOf(members) }
  }

  /** The server's own digest. */
  async proof(): Promise<{ count: number; hash: string }> {
    const { status, body } = await this.#get(`/digest?${this.#query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return { count: body.count, hash: body.hash }
  }
}
