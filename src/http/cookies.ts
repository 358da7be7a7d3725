/** The cookies of a request; the first of a repeated name wins. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals > 0 && !cookies.has(name)) cookies.set(name, part.slice(equals + 1).trim())
  }
  return cookies
}

interface CookieOptions {
  /** Over https the name gets the `__Host-` prefix: no other host, subdomain or plain connection can set it. */
  secure: boolean
  /** A session cookie unless given; 0 removes it. */
  maxAgeSeconds?: number
}

export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The value of a Set-Cookie header. `value` must not need quoting: base64url, or a word. */
export function cookie(name: string, value: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const lifetime = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${lifetime}`
}
