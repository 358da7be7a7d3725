/** `npm start` builds, but skips the compiler when nothing has changed. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const BUILT = 'dist/.tsbuildinfo'
const changedAt = path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(name => join('src', name))
const newest = Math.max(...['tsconfig.json', 'tsconfig.build.json', ...sources].map(changedAt))

if (newest > changedAt(BUILT)) {
  console.log('Building')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  // The compiler does not update its build info when a change made no difference.
  const now = new Date()
  utimesSync(BUILT, now, now)
}
