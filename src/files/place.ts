import { resolve } from 'node:path'
import { diskStorage } from './disk.ts'
import { type Bucket, s3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

export const BUCKET_URL =
  's3://KEY:SECRET@host/bucket?region=…, with the key in the address or in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'

/** Reads `s3://KEY:SECRET@host/bucket/prefix?region=…`; `s3+http://` for a server without TLS. Undefined if it is not one. */
export function readBucketUrl(
  text: string,
  setting: (name: string) => string | undefined,
): Bucket | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = { 's3:': 'https', 's3+http:': 'http' }[url?.protocol ?? '']
  if (!url || !scheme || !url.host) return undefined
  const [, name = '', rest = ''] = url.pathname.split(/^\/([^/]*)\/?/)
  const accessKeyId = decoded(url.username) || setting('AWS_ACCESS_KEY_ID')
  const secretAccessKey = decoded(url.password) || setting('AWS_SECRET_ACCESS_KEY')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || !/^[\w./-]*$/.test(rest)) return undefined
  if (!accessKeyId || !secretAccessKey) return undefined
  const region = url.searchParams.get('region') ?? setting('AWS_REGION') ?? 'us-east-1'
  const prefix = rest && `${rest.replace(/\/+$/, '')}/`
  return { origin: `${scheme}://${url.host}`, name, prefix, region, accessKeyId, secretAccessKey }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where the settings keep the uploads. */
export const openStorage = ({
  bucket,
  dataDir,
}: {
  bucket: Bucket | undefined
  dataDir: string | undefined
}): Storage => (bucket ? s3Storage(bucket) : diskStorage(dataDir ?? resolve('data')))
