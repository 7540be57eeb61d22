// cms-server start: the daemon. What runs is loaded when it is asked for: it is nearly all there is, and
// the other commands ask the running server.

import type { Command } from 'commander'
import { READER_COMMAND } from './reader-command.ts'
import { addServerOptions, buildConfig, type Config } from '../config/config.ts'
import { findUnknownVariables } from '../config/environment.ts'
import { orUsage } from './usage.ts'

/** The names are those of variables that the environment of a service holds, and which are no settings. */
export function addStartCommand(program: Command, ofService: readonly string[]): void {
  addServerOptions(program.command('start').description('run the server')).action(
    async (flags: ServerFlags, command: Command) => {
      const { runServer } = await import('./start-run.ts')
      await runServer(configOf(flags), { unknown: findUnknownVariables(command), ofService })
    },
  )
  // What a server of several processes begins by itself, with its own flags.
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
