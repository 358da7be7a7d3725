/**
 * Fails on known serious vulnerabilities in shipped packages. If the registry does not answer, reports that and passes.
 */
import { spawnSync } from 'node:child_process'

const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], { encoding: 'utf8', timeout: 60_000 })
let found: { high: number; critical: number } | undefined
try {
  found = JSON.parse(stdout).metadata?.vulnerabilities
} catch {
  // No JSON: the registry could not be reached.
}
if (!found) console.log('Dependencies were NOT checked: the registry gave no answer to npm audit.')
else if (found.high + found.critical > 0) {
  console.error(
    `Dependencies: ${found.high} high and ${found.critical} critical vulnerabilities; see npm audit.`,
  )
  process.exitCode = 1
} else console.log('Dependencies: no serious vulnerability is known.')
