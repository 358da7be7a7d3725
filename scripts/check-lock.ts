/** Every optional (platform) dependency of a locked package must be locked too, or `npm ci` fails on other machines. */
import { readFileSync } from 'node:fs'

interface Locked {
  optionalDependencies?: Record<string, string>
  resolved?: string
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}

const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter(name => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`])
    .map(name => `${place || 'this project'} names ${name}, which is not in package-lock.json`),
)
const addresses = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)
const problems = [
  ...missing,
  ...addresses.map(([place]) => `${place} has a download address: remove "resolved"`),
]
if (Object.keys(packages).length < 2) problems.push('package-lock.json names no packages')
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`Lock: ${Object.keys(packages).length} packages, complete.`)
