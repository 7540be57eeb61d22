// The daemon from its start to its end.

import { spawn } from 'node:child_process'
import { fstatSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import {
  commandPath,
  isJournal,
  isMainProcessOfUnit,
  waitsForReady,
} from '../config/environment.ts'
import { type Log, openLog } from '../base/log.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { isEchoOfCommit, workAsOwner } from '../server/open-storage.ts'
import { EXIT } from './exit.ts'
import { ownCommand, quoted } from './own-command.ts'
import { forkReader } from './reader-command.ts'
import { passOverSignals, stopOnSignals } from './signals.ts'
import { tuneV8 } from './v8-flags.ts'

/** Names of variables that change nothing, of which the start warns. */
interface OtherVariables {
  readonly unknown: readonly string[]
  /** Set by Kubernetes for a service named "cms". */
  readonly ofService: readonly string[]
}

export async function runServer(config: Config, variables: OtherVariables): Promise<void> {
  // Content is read through the server alone.
  process.umask(0o077)
  workAsOwner(config.dataDir, 'server')
  const log = openLog(config.logLevel)
  passOverSignals(log)
  // A terminal that has gone while it is told of the start: nobody can be told, and the stop is under way.
  process.stdout.on('error', () => undefined)
  for (const name of variables.unknown)
    log.warn({ name }, `${name} is no setting, and changes nothing: see cms-server start --help`)
  if (variables.ofService.length > 0) log.warn({ names: variables.ofService }, OF_SERVICE)
  const onFailure = (cause: unknown): void => endNow(log, cause)
  process.on('unhandledRejection', (reason) => endUnlessHarmless(log, reason))
  process.on('uncaughtException', (error) => endNow(log, error))

  const fork = config.processes > 1 ? forkReader : undefined
  const server = await startServer({ config, log, onFailure, fork }).catch((error: unknown) => {
    makeSureOfEnd(KILL_AFTER_SECONDS.failure)
    throw error
  })
  endOnSignal(server, log)
  tuneV8('writes')
  console.log(`cms-server listening on ${server.url}`)
  tellSystemd(log)
  if (server.welcome !== undefined) printFirstSteps(config, server.url, server.welcome)
}

const OF_SERVICE =
  'ignored variables of a service named "cms"; to set the port, use --port, or set enableServiceLinks: false in the pod'

/**
 * A unit with Type=notify is started when its server listens: what comes after it finds the site there, and a start
 * that failed is one for systemctl, too. sd_notify(3) wants a datagram socket, which Node does not have.
 */
function tellSystemd(log: Log): void {
  if (!waitsForReady()) return
  const told = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  const untold = 'systemd could not be told that the server listens, and goes on waiting for it'
  told.on('error', (error) => log.warn({ err: error }, untold))
  told.on('exit', (status) => status !== 0 && log.warn({ status }, untold))
}

function printFirstSteps({ dataDir, baseUrl }: Config, url: string, welcome: string): void {
  const { argv, execPath: node } = process
  const command = ownCommand({ script: argv[1] ?? '', node, path: commandPath() })
  const address = baseUrl ?? url
  if (isJournal(fstatSync(process.stdout.fd))) {
    console.log(
      `Nobody can get in yet. A link to do so would be kept in the journal. Set the password of the user "admin" with\n\n  ${command} user password admin --data ${quoted(dataDir)}\n`,
    )
    return
  }
  console.log(`
Nobody can get in yet. Open this link, good once and for an hour, to set the password of the user "admin":

  ${address}${welcome}

Without a browser, get an API key, shown once, with

  ${command} key create --data ${quoted(dataDir)} --name first

and try it out at ${address}/
`)
}

function endOnSignal(server: RunningServer, log: Log): void {
  stopOnSignals((signal) => {
    log.info({ signal }, 'stopping')
    // systemd sees to the end itself, and would tell the log of each process that it finds beside this one; but of a
    // server whose commits have failed LMDB makes that a long time.
    const isWatched = !isMainProcessOfUnit() || server.isReadOnly()
    server.close().then(
      () => {
        log.info('stopped')
        if (isWatched) makeSureOfEnd(KILL_AFTER_SECONDS.stop)
        log.flush(() => process.exit(EXIT.ok))
      },
      (error: unknown) => endNow(log, error),
    )
  })
}

/** Whoever made the commit learns of its failure, and ends the process where it must. */
function endUnlessHarmless(log: Log, reason: unknown): void {
  if (isEchoOfCommit(reason)) log.warn({ err: reason }, 'a commit failed')
  else endNow(log, reason)
}

/** How long the process may take to end: after a failure it often hangs, after a stop it hardly ever does. */
const KILL_AFTER_SECONDS = { failure: 1, stop: 5 }

/**
 * Ends the process after a failure that leaves the state of the storage unknown: the next start looks
 * at everything.
 */
function endNow(log: Log, cause: unknown): void {
  log.fatal({ err: cause }, 'the storage or the server failed; start it again')
  makeSureOfEnd(KILL_AFTER_SECONDS.failure)
  log.flush(() => process.exit(EXIT.storage))
}

/**
 * Another process watches over the end of this one: the exit hook of LMDB can hang for ever after a failure, and
 * Node's own exit while V8 compiles or collects (nodejs/node#54918). It ends with this one, which holds the other
 * end of its stdin, so that nothing is left behind of a stop.
 */
function makeSureOfEnd(seconds: number): void {
  const script = `exec 3<&0; sleep ${seconds} & at=$!; { cat <&3; kill $at; } & wait $at && kill -9 ${process.pid}`
  const watch = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Where there is no shell, nobody watches.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  watch.unref()
}
