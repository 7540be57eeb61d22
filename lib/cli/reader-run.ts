// The life of a reader process from start to end.

import type { Config } from '../config/config.ts'
import { openLog } from '../base/log.ts'
import { startReader } from '../server/reader.ts'
import { EXIT } from './exit.ts'
import { tuneV8 } from './v8-flags.ts'

/** Ignored signals. The writer process tells readers what to do, because a terminal and systemd signal both. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

export async function runReader(config: Config): Promise<void> {
  if (process.send === undefined) {
    console.error('cms-server: this command is for internal use by "cms-server start".')
    process.exit(EXIT.usage)
  }
  process.umask(0o077)
  const log = openLog(config.logLevel)
  for (const signal of SIGNALS) process.on(signal, () => undefined)
  const end = (status: number): void => log.flush(() => process.exit(status))
  const onFailure = (cause: unknown): void => {
    log.fatal({ err: cause }, 'reader process failed')
    end(EXIT.storage)
  }
  process.on('unhandledRejection', onFailure)
  process.on('uncaughtException', onFailure)
  await startReader({
    config,
    log,
    onFailure,
    onStopped: () => end(EXIT.ok),
    // A reader without its writer has nothing valid to serve.
    onAlone: () => process.exit(EXIT.storage),
  })
  tuneV8('reads')
}
