// The command line: adds the commands of cli/ and maps errors to exit codes.

import { Command, CommanderError } from 'commander'
import { addBackupCommands } from './cli/backup.ts'
import { addCheckCommand } from './cli/check.ts'
import { EXIT, EXIT_HELP, exitCodeOf, messageOf, orUsage } from './cli/exit.ts'
import { addHealthCommand } from './cli/health.ts'
import { addKeyCommands } from './cli/keys.ts'
import { addMigrateCommand } from './cli/migrate.ts'
import { SHOWN_OUTPUT } from './cli/print.ts'
import { addPublishCommand } from './cli/publish-to.ts'
import { addStartCommand } from './cli/start.ts'
import { addTransferCommands } from './cli/transfer.ts'
import { addTypesCommand } from './cli/module-types.ts'
import { addUserCommands } from './cli/users.ts'
import { loadKey, removeForeignVariables, removeKey } from './config/environment.ts'
import { VERSION } from './base/version.ts'

const program = new Command('cms-server')
  .description('A content server: every save is a version, publishing moves a pointer.')
  .version(VERSION)
  .addHelpText('after', EXIT_HELP)
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()
  .configureOutput(SHOWN_OUTPUT)

addStartCommand(program, removeForeignVariables())
addKeyCommands(program)
addUserCommands(program)
addHealthCommand(program)
addCheckCommand(program)
addBackupCommands(program)
addMigrateCommand(program)
addTransferCommands(program)
addPublishCommand(program)
addTypesCommand(program)

void run()

// A module of CommonJS (bundle.mjs) cannot await outside of a function.
async function run(): Promise<void> {
  process.once('beforeExit', refuseUnsettled)
  try {
    orUsage(loadKey)
    await program.hook('preAction', removeKey).parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage
    } else {
      console.error(`cms-server: ${messageOf(error)}`)
      process.exit(exitCodeOf(error))
    }
  } finally {
    process.off('beforeExit', refuseUnsettled)
  }
}

/** Nothing is left that could finish the command. Node would exit with 0. */
function refuseUnsettled(): void {
  console.error(
    'cms-server: the command ended before its work was finished, because an operation never completed. Run it again.',
  )
  process.exit(EXIT.failed)
}
