import pg from 'pg'

const PATIENCE_MS = 2_000

/** By the address that names several servers: the one that accepted writes when it was last asked. */
const primaries = new Map<string, string>()

/**
 * `postgres://name:password@a:5432,b:5432/lonja` as one address for each server; undefined if it is not an address of
 * PostgreSQL. The driver knows only one.
 */
export function addressesOf(url: string): string[] | undefined {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  const addresses = hosts.split(',').map(host => start + host + rest)
  return hosts && addresses.every(address => URL.canParse(address)) ? addresses : undefined
}

/** The address to connect to now. */
export const primaryOf = (url: string): string => primaries.get(url) ?? addressesOf(url)?.[0] ?? url

/** Asks every server which one accepts writes. If none answers so, the last one stays. */
export async function seekPrimary(url: string): Promise<void> {
  const addresses = addressesOf(url) ?? []
  if (addresses.length < 2) return
  const found = await Promise.all(addresses.map(isPrimary))
  const known = primaryOf(url)
  const isStillPrimary = found[addresses.indexOf(known)]
  primaries.set(url, (!isStillPrimary && addresses.find((_, i) => found[i])) || known)
}

/** After a failure: for every address that names several. */
export const seekPrimaries = async (): Promise<void> =>
  void (await Promise.all([...primaries.keys()].map(seekPrimary)))

async function isPrimary(address: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'lonja pulse',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as standby')
    return rows[0].standby === false
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}
