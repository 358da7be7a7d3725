import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { Away } from '../lib/problem.ts'
import { readListing } from './s3-listing.ts'
import { type Folder, isFileName, requireFileName, type Storage } from './storage.ts'

/** A bucket of an S3-compatible server, and the key to it. */
export interface Bucket {
  /** Of the server, without a final slash. */
  origin: string
  name: string
  /** Before every key: empty, or ends with a slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** One try: until the answer begins, or until a whole file is sent. */
const TRY_MS = { read: 3_000, write: 8_000 }
/** Pauses before the second and third try, and when no further try begins. A caller may hold a transaction meanwhile. */
const PAUSES_MS = [100, 400]
const LAST_TRY_MS = 5_000
/** Load balancers ask often, and must not wait long for it. */
const CONDITION = { everyMs: 10_000, waitMs: 1_000 }
const TYPES: Record<string, string> = { webp: 'image/webp', avif: 'image/avif', pdf: 'application/pdf' }

interface Ask {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  tryMs?: number
  tries?: number
}

/** Objects are private; everything goes through this process, under the same rules as files on disk. */
export function s3Storage(bucket: Bucket): Storage {
  const ask = askerOf(bucket)
  const keyOf = (folder: Folder, name: string) => `${bucket.prefix}${folder}/${name}`
  const condition = remembered(async () => {
    const [answer] = await ask({
      method: 'GET',
      query: { 'list-type': '2', 'max-keys': '1', prefix: bucket.prefix },
      tryMs: CONDITION.waitMs,
      tries: 1,
    })
    await answer.body?.cancel()
  })
  return {
    condition,

    async put(folder, name, content) {
      requireFileName(name)
      const [answer] = await ask({
        method: 'PUT',
        key: keyOf(folder, name),
        headers: {
          'content-type': TYPES[name.split('.')[1] as string] ?? 'application/octet-stream',
          // Signed: a server that received other bytes rejects them.
          'x-amz-content-sha256': createHash('sha256').update(content).digest('hex'),
        },
        body: content,
        tryMs: TRY_MS.write,
      })
      await answer.body?.cancel()
    },

    async stream(folder, name) {
      if (!isFileName(name)) return undefined
      const [answer, code] = await ask({ method: 'GET', key: keyOf(folder, name) })
      if (code === 'NoSuchKey' || !answer.body) return undefined
      const content = Readable.fromWeb(answer.body as ReadableStream)
      return { bytes: Number(answer.headers.get('content-length')), content }
    },

    async exists(folder, name) {
      if (!isFileName(name)) return false
      const [answer] = await ask({ method: 'HEAD', key: keyOf(folder, name) })
      return answer.ok
    },

    async remove(folder, name) {
      if (isFileName(name)) await ask({ method: 'DELETE', key: keyOf(folder, name) })
    },

    async *list(folder) {
      const prefix = keyOf(folder, '')
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query: Record<string, string> = { 'list-type': '2', prefix }
        if (next) query['continuation-token'] = next
        const [answer] = await ask({ method: 'GET', query })
        const page = readListing(await answer.text())
        for (const { key, ...file } of page.files) {
          const name = key.slice(prefix.length)
          if (isFileName(name)) yield { name, ...file }
        }
        next = page.next
      }
    },
  }
}

/**
 * The answer and, if it is an error that a caller may expect, the server's code for it: only an object that does not
 * exist. Any other answer is an `Away`.
 */
function askerOf({ origin, name, region, accessKeyId, secretAccessKey }: Bucket) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  return async (request: Ask): Promise<[Response, code?: string]> => {
    const url = new URL(`${origin}/${name}${request.key ? `/${request.key}` : ''}`)
    url.search = new URLSearchParams(request.query).toString()
    const { tries = PAUSES_MS.length + 1 } = request
    const begun = performance.now()
    for (let tried = 1; ; tried++) {
      const [answer, reason] = await tryOnce(client, url, request)
      if (answer?.ok) return [answer]
      const code = answer && (await codeOf(answer, request))
      if (answer && code === 'NoSuchKey') return [answer, code]
      const isOver = tried >= tries || performance.now() - begun > LAST_TRY_MS
      if (isOver || (answer && answer.status < 500 && answer.status !== 429)) {
        throw new Away(`the object storage ${answer ? `answered ${answer.status} ${code}` : reason}`)
      }
      await sleep(PAUSES_MS[tried - 1])
    }
  }
}

async function tryOnce(
  client: AwsClient,
  url: URL,
  { method, headers = {}, body, tryMs = TRY_MS.read }: Ask,
): Promise<[Response | undefined, reason: string]> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), tryMs)
  try {
    const signed = await client.sign(url.href, {
      method,
      headers,
      ...(body && { body: new Uint8Array(body) }),
    })
    return [await fetch(signed, { signal: patience.signal, redirect: 'manual' }), '']
  } catch (error) {
    if (patience.signal.aborted) return [undefined, `gave no answer within ${tryMs / 1000} seconds`]
    const { message, cause } = error as Error & { cause?: { code?: string } }
    return [undefined, `cannot be reached (${cause?.code ?? message})`]
  } finally {
    // The body of an answer may take longer: its reader decides how fast it comes.
    clearTimeout(timer)
  }
}

async function codeOf(answer: Response, { method }: Ask): Promise<string> {
  if (method === 'HEAD') return answer.status === 404 ? 'NoSuchKey' : ''
  const text = await answer.text().catch(() => '')
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? ''
}

/** Checked again only when the last outcome is old. */
function remembered(check: () => Promise<void>): () => Promise<string> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let last: Promise<string>
  return () => {
    if (performance.now() - checkedAt > CONDITION.everyMs) {
      checkedAt = performance.now()
      last = check().then(
        () => 'ok',
        (error: Error) => error.message,
      )
    }
    return last
  }
}
