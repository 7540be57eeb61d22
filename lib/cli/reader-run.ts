// A process that reads beside the one that writes, from its start to its end.

import type { Config } from '../config/config.ts'
import { openLog } from '../base/log.ts'
import { startReader } from '../server/reader.ts'
import { EXIT } from './exit.ts'
import { tuneV8 } from './v8-flags.ts'

/** Which signals come, it is told by the other process what to do: a terminal and systemd send them to both. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

export async function runReader(config: Config): Promise<void> {
  if (process.send === undefined) {
    console.error('cms-server: this command is for "cms-server start" alone.')
    process.exit(EXIT.usage)
  }
  process.umask(0o077)
  const log = openLog(config.logLevel)
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  const end = (status: number): void => log.flush(() => process.exit(status))
  const onFailure = (cause: unknown): void => {
    log.fatal({ err: cause }, 'a process that reads failed')
    end(EXIT.storage)
  }
  process.on('unhandledRejection', onFailure)
  process.on('uncaughtException', onFailure)
  await startReader({
    config,
    log,
    onFailure,
    onStopped: () => end(EXIT.ok),
    // Nothing that it could still say would be right.
    onAlone: () => process.exit(EXIT.storage),
  })
  tuneV8('reads')
}
