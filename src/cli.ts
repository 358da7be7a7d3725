import { parseArgs } from 'node:util'
import { COMMANDS, type Command, type Values } from './commands.ts'
import { Problem } from './lib/problem.ts'
import { StartupError } from './lib/startup-error.ts'

/** A mistake of the person at the keyboard: one line, and where to read on. */
class UsageError extends Error {}

function findCommand(words: string[]): { command: Command; rest: string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS[words.slice(0, length).join(' ')]
    if (command) return { command, rest: words.slice(length) }
  }
  throw new UsageError(words[0] ? `There is no command "${words.slice(0, 2).join(' ')}".` : 'Say what to do.')
}

function readArguments({ options = {}, argument }: Command, rest: string[]): Values {
  const names = Object.keys(options)
  const types = Object.fromEntries(
    names.map(name => [name, { type: options[name]?.value ? 'string' : 'boolean' } as const]),
  )
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: rest,
      options: { ...types, json: { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError((error as Error).message.split('. To specify')[0] as string)
  }
  const missing = names.filter(name => options[name]?.required && parsed.values[name] === undefined)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(name => `--${name}`).join(', ')}.`)
  const expected = argument ? 1 : 0
  if (parsed.positionals.length !== expected) {
    throw new UsageError(
      argument ? `Give exactly one ${argument}.` : `Unexpected: ${parsed.positionals.join(' ')}.`,
    )
  }
  return { ...parsed.values, ...(argument ? { argument: parsed.positionals[0] as string } : {}) } as Values
}

function usage(name: string, { argument, options = {} }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} ${value}` : `--${option}`
    return required ? text : `[${text}]`
  })
  return ['lonja', name, ...(argument ? [argument] : []), ...parts].join(' ')
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(
    ([name, command]) => `  ${usage(name, command)}\n      ${command.summary}`,
  )
  return `Lonja, a multi-listing exchange for real-estate agents.

Usage: lonja COMMAND [options]

${rows.join('\n')}

Every command but serve and demo takes --json. Settings come from the environment or a .env file (see .env.example):
DATABASE_URL or LONJA_DATA says where the data is. Commands work whether or not a server is running on it.`
}

async function main(words: string[]): Promise<void> {
  if (words.length === 0 || ['--help', '-h', 'help'].includes(words[0] as string)) return console.log(help())
  const { command, rest } = findCommand(words)
  if (rest.includes('--help') || rest.includes('-h')) {
    const name = words.slice(0, words.length - rest.length).join(' ')
    return console.log(`${usage(name, command)}\n\n${command.summary}`)
  }
  const values = readArguments(command, rest)
  const result = await command.run(values)
  if (result === undefined) return
  console.log(values.json ? JSON.stringify(result.data, null, 2) : result.text)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) console.error(`${error.message} "lonja --help" lists the commands.`)
  else if (error instanceof Problem) console.error((error.details.errors ?? [error.message]).join('\n'))
  else if (error instanceof StartupError) console.error(error.message)
  else console.error('Lonja stopped on a fault of its own. Please report this:\n', error)
  process.exitCode = 1
})
