import { readFileSync } from 'node:fs'
import { inspect, parseArgs } from 'node:util'
import { issueSentence } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { StartupError } from '../lib/startup-error.ts'
import type { Command, Switches, Terminal, Values } from './command.ts'
import { commandsAt } from './commands.ts'

/** A usage error: one line, and where to read more. */
class UsageError extends Error {}

const HELP = ['--help', '-h', 'help']

type Commands = Record<string, Command>

function findCommand(
  commands: Commands,
  words: string[],
): { name: string; command: Command; rest: string[] } {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command) return { name, command, rest: words.slice(length) }
  }
  const typed = words.slice(0, 2).filter((word, i) => i === 0 || !word.startsWith('-'))
  throw new UsageError(`Unknown command "${typed.join(' ')}".`)
}

interface Typed {
  values: Values
  switches: Switches
  json: boolean
}

function readArguments({ options = {}, argument, isEndless }: Command, rest: string[]): Typed {
  const names = Object.keys(options)
  const isSwitch = (name: string) => options[name]?.value === undefined
  const { values, positionals } = parse(rest, {
    ...Object.fromEntries(
      names.map(name => [name, { type: isSwitch(name) ? 'boolean' : 'string' } as const]),
    ),
    ...(isEndless ? {} : { json: { type: 'boolean' } as const }),
  })
  const missing = names.filter(name => options[name]?.required && values[name] === undefined)
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(name => `--${name}`).join(', ')}.`)
  const least = argument && !argument.startsWith('[') ? 1 : 0
  if (positionals.length < least || positionals.length > (argument ? 1 : 0)) {
    throw new UsageError(argument ? `Give exactly one ${argument}.` : `Unexpected: ${positionals.join(' ')}.`)
  }
  const texts = names.filter(name => !isSwitch(name)).map(name => [name, values[name]])
  return {
    values: { ...Object.fromEntries(texts), argument: positionals[0] ?? '' },
    switches: Object.fromEntries(names.filter(isSwitch).map(name => [name, values[name] === true])),
    json: values.json === true,
  }
}

function parse(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.?(?:\n| To specify)/)
    throw new UsageError(`${sentence}.`)
  }
}

function usage(name: string, { argument, options = {} }: Command): string {
  const parts = Object.entries(options).map(([option, { value, required }]) => {
    const text = value ? `--${option} ${value}` : `--${option}`
    return required ? text : `[${text}]`
  })
  return ['lonja', name, ...(argument ? [argument] : []), ...parts].join(' ')
}

const describe = (commands: [name: string, command: Command][]) =>
  commands.map(([name, command]) => `  ${usage(name, command)}\n      ${command.summary}`).join('\n')

const commandsOf = (commands: Commands, noun: string) =>
  Object.entries(commands).filter(([name]) => name === noun || name.startsWith(`${noun} `))

const help = (commands: Commands) => `Lonja, a multi-listing exchange for real estate agents.

Usage: lonja COMMAND [options]

${describe(Object.entries(commands))}

Every command that ends by itself takes --json. Settings come from the environment or a .env file (see .env.example):
DATABASE_URL or LONJA_DATA says where the data is. Commands work whether or not a server is running on it.`

function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}

async function execute(words: string[], terminal: Terminal): Promise<void> {
  const { print } = terminal
  const commands = commandsAt(terminal)
  const [first = '--help', second] = words
  if (HELP.includes(first)) return print(help(commands))
  if (first === '--version') return print(version())
  const ofNoun = commandsOf(commands, first)
  // A noun alone lists its subcommands, unless it is a command itself.
  const isAsked = second === undefined ? !Object.hasOwn(commands, first) : HELP.includes(second)
  if (isAsked && ofNoun.length > 1) return print(describe(ofNoun))
  const { name, command, rest } = findCommand(commands, words)
  if (rest.includes('--help') || rest.includes('-h'))
    return print(`${usage(name, command)}\n\n${command.summary}`)
  const { values, switches, json } = readArguments(command, rest)
  const result = await command.run(values, switches)
  if (result) print(json ? JSON.stringify(result.data, null, 2) : result.text)
}

/** Runs one command, from arguments to exit code. */
export async function lonja(words: string[], terminal: Terminal): Promise<number> {
  try {
    await execute(words, terminal)
    return 0
  } catch (error) {
    terminal.remark(errorText(error))
    return 1
  }
}

function errorText(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} "lonja --help" lists the commands.`
  if (error instanceof Problem) {
    return error.details.issues?.map(one => issueSentence(one, 'en')).join('\n') ?? error.message
  }
  if (error instanceof StartupError) return error.message
  return `Lonja stopped because of an internal error. Please report this:\n${inspect(error)}`
}
