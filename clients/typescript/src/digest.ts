type Versions = AsyncIterable<readonly [string, string]> | Iterable<readonly [string, string]>

interface Bucket {
  hash: string
  versions: ReadonlyMap<string, string>
}

/** Of a whole copy, and of each bucket by the first two digits of the id. */
export interface Digest {
  count: number
  hash: string
  bucket(prefix: string): Bucket
}

const encoder = new TextEncoder()
const toHex = (word: bigint) => word.toString(16).padStart(16, '0')

/** The first 8 bytes of SHA-256(id + ":" + version). */
async function wordOf(id: string, version: string): Promise<bigint> {
  const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`${id}:${version}`))
  return new DataView(hash).getBigUint64(0)
}

export async function digestOf(versions: Versions): Promise<Digest> {
  const buckets = new Map<string, { word: bigint; versions: Map<string, string> }>()
  let word = 0n
  let count = 0
  for await (const [id, version] of versions) {
    const prefix = id.slice(0, 2)
    const bucket = buckets.get(prefix) ?? { word: 0n, versions: new Map() }
    const one = await wordOf(id, version)
    bucket.word ^= one
    bucket.versions.set(id, version)
    buckets.set(prefix, bucket)
    word ^= one
    count++
  }
  return {
    count,
    hash: toHex(word),
    bucket: prefix => {
      const found = buckets.get(prefix)
      return { hash: toHex(found?.word ?? 0n), versions: found?.versions ?? new Map() }
    },
  }
}
