// cms-server start: the daemon. What runs is loaded when it is asked for: it is nearly all there is, and
// the other commands ask the running server.

import type { Command } from 'commander'
import { READER_COMMAND } from './reader-command.ts'
import { addServerOptions, buildConfig, findUnknownVariables } from '../config.ts'

export function addStartCommand(program: Command): void {
  addServerOptions(program.command('start').description('run the server')).action(
    async (flags: Parameters<typeof buildConfig>[0], command: Command) => {
      const { runServer } = await import('./start-run.ts')
      await runServer(buildConfig(flags), findUnknownVariables(command))
    },
  )
  // What a server of several processes begins by itself, with its own flags.
  addServerOptions(program.command(READER_COMMAND, { hidden: true })).action(
    async (flags: Parameters<typeof buildConfig>[0]) => {
      const { runReader } = await import('./reader-run.ts')
      await runReader(buildConfig(flags))
    },
  )
}
