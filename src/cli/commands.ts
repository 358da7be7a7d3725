import { agentCommands } from './agents.ts'
import { backupCommands } from './backup.ts'
import { type Command, onDatabaseOf, type Terminal } from './command.ts'
import { fileCommands } from './files.ts'
import { keyCommands } from './keys.ts'
import { listingCommands } from './listings.ts'
import { personCommands } from './persons.ts'
import { placeCommands } from './places.ts'
import { descriptionCommands, processCommands } from './process.ts'
import { rateCommands } from './rates.ts'
import { secretCommands, webhookCommands } from './webhooks.ts'

/** Every command, in the order of the help. */
export function commandsAt(terminal: Terminal): Record<string, Command> {
  const onDatabase = onDatabaseOf(terminal)
  return {
    ...processCommands(onDatabase, terminal),
    ...agentCommands(onDatabase, terminal),
    ...keyCommands(onDatabase),
    ...listingCommands(onDatabase),
    ...rateCommands(onDatabase),
    ...placeCommands(onDatabase),
    ...personCommands(onDatabase),
    ...webhookCommands(onDatabase, terminal.print),
    ...secretCommands(onDatabase),
    ...fileCommands(terminal),
    ...backupCommands(terminal),
    ...descriptionCommands,
  }
}
