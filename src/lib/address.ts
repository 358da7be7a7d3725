/**
 * The key that rate limits count an IP address under. An IPv6 subscriber gets a whole /64 and can use a different
 * address for every request.
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
