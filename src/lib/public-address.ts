import ipaddr from 'ipaddr.js'

/** IPv4 ranges that are not public internet (IANA special-purpose registry). */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(range => ipaddr.IPv4.parseCIDR(range))

/**
 * IPv6 is public only inside 2000::/3, which excludes every form that embeds an IPv4 address (mapped, compatible,
 * NAT64) and local, site and multicast addresses. These are the non-public ranges inside it.
 */
const PUBLIC_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(range =>
  ipaddr.IPv6.parseCIDR(range),
)

/** Whether an address in plain notation is on the public internet. False for anything unparsable. */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const v4 = ipaddr.IPv4.parse(address)
    return !NOT_PUBLIC_V4.some(range => v4.match(range))
  }
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false
  const v6 = ipaddr.IPv6.parse(address)
  return v6.match(PUBLIC_V6) && !NOT_PUBLIC_V6.some(range => v6.match(range))
}
