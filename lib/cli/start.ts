// cms-server start: the server. Its code is loaded on demand, because it is most of the program and other
// commands only ask the running server.

import type { Command } from 'commander'
import { READER_COMMAND } from './reader-command.ts'
import { addServerOptions, buildConfig, type Config } from '../config/config.ts'
import { findUnknownVariables } from '../config/environment.ts'
import { orUsage } from './exit.ts'

/**
 * `ofService` holds the names of environment variables that Kubernetes sets for a service and that are not
 * settings.
 */
export function addStartCommand(program: Command, ofService: readonly string[]): void {
  addServerOptions(program.command('start').description('run the server')).action(
    async (flags: ServerFlags, command: Command) => {
      const { runServer } = await import('./start-run.ts')
      const config = configOf(flags)
      if (config.liveTree !== undefined) {
        const { requireTreeDirectory } = await import('../live-tree/tree-directory.ts')
        orUsage(() => requireTreeDirectory(config))
      }
      await runServer(config, { unknown: findUnknownVariables(command), ofService })
    },
  )
  // A server with several processes starts this command itself, with its own flags.
  addServerOptions(program.command(READER_COMMAND, { hidden: true })).action(
    async (flags: ServerFlags) => {
      const { runReader } = await import('./reader-run.ts')
      await runReader(configOf(flags))
    },
  )
}

type ServerFlags = Parameters<typeof buildConfig>[0]

function configOf(flags: ServerFlags): Config {
  return orUsage(() => buildConfig(flags))
}
