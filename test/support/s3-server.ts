import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { readBucketUrl } from '../../src/files/place.ts'
import { s3Storage } from '../../src/files/s3.ts'
import type { Storage } from '../../src/files/storage.ts'
import { freePort } from '../../src/lib/free-port.ts'

const KEY = { accessKeyId: 'lonja:files', secretAccessKey: 'a-secret/with+signs' }

/** A real S3 server: OpenStack Swift, from Debian's packages. */
export class S3Server {
  readonly origin: string
  readonly #child: ChildProcess
  readonly #home: string

  private constructor(origin: string, child: ChildProcess, home: string) {
    this.origin = origin
    this.#child = child
    this.#home = home
  }

  /** In a new folder, or in that one; `host` is where others reach it. */
  static async start({ folder = '', host = '127.0.0.1' } = {}): Promise<S3Server> {
    const home = folder || (await mkdtemp(join(tmpdir(), 'lonja-s3-')))
    const port = await freePort(host)
    const script = join(import.meta.dirname, 's3-server.py')
    const { accessKeyId, secretAccessKey } = KEY
    const child = spawn('/usr/bin/python3', [script, home, `${host}:${port}`, accessKeyId, secretAccessKey])
    let said = ''
    child.stderr.on('data', text => {
      said += text
    })
    const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (!String(first).startsWith('ready')) throw new Error(`the S3 server does not start:\n${said}`)
    return new S3Server(`http://${host}:${port}`, child, home)
  }

  /** A new bucket, as STORAGE_URL names it. */
  async bucket(name: string): Promise<string> {
    const client = new AwsClient({ ...KEY, service: 's3', region: 'us-east-1', retries: 0 })
    const { status } = await client.fetch(`${this.origin}/${name}`, { method: 'PUT' })
    if (status !== 200) throw new Error(`the bucket ${name} was not created: ${status}`)
    const [user, password] = Object.values(KEY).map(encodeURIComponent)
    return `s3+http://${user}:${password}@${new URL(this.origin).host}/${name}?region=us-east-1`
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill()
    await exit
    await rm(this.#home, { recursive: true, force: true })
  }
}

export function storageAt(url: string): Storage {
  const bucket = readBucketUrl(url, () => undefined)
  if (!bucket) throw new Error(`not the address of a bucket: ${url}`)
  return s3Storage(bucket)
}
