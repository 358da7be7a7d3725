/**
 * Who an IP address stands for when requests are counted. Of IPv6 everybody has a whole network, 64 bits of addresses, and
 * can send each request from another one.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped || !address.includes(':')) return mapped ?? address
  const [left = [], right = []] = address
    .toLowerCase()
    .split('::')
    .map(half => half.split(':').filter(group => group !== ''))
    .map(groups => groups.map(group => group.replace(/^0+(?=.)/, '')))
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = address.includes('::') ? [...left, ...zeros, ...right] : left
  return `${groups.slice(0, 4).join(':')}::/64`
}
