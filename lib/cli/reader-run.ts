// A process that reads beside the one that writes, from its start to its end.

import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'
import { startReader } from '../reader.ts'
import { EXIT } from './exit.ts'

/** Which signals come, it is told by the other process what to do: a terminal and systemd send them to both. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

/**
 * V8 lets a small heap grow to several times of what lives in it before it collects all: 60 MiB of garbage in each of these
 * processes, for hardly less processor time. A V8 that does not know the flag says so, and goes on.
 */
const COLLECT_SOONER = '--heap-growing-percent=20'

export async function runReader(config: Config): Promise<void> {
  if (process.send === undefined) {
    console.error('cms-server: this command is for "cms-server start" alone.')
    process.exit(EXIT.usage)
  }
  setFlagsFromString(COLLECT_SOONER)
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
}
