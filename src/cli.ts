import { readFileSync } from 'node:fs'
import { lonja } from './cli/command-line.ts'
import { environment } from './config.ts'

// A reader such as `head` may close our output early.
process.stdout.on('error', () => process.exit())

process.exitCode = await lonja(process.argv.slice(2), {
  settings: environment,
  print: line => console.log(line),
  remark: line => console.error(line),
  input: () => readFileSync(0, 'utf8'),
})
