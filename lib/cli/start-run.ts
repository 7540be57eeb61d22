// The life of the server from start to end.

import { spawn } from 'node:child_process'
import { accessSync, constants, fstatSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { type Log, openLog } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import {
  commandPath,
  isJournal,
  isMainProcessOfUnit,
  waitsForReady,
} from '../config/environment.ts'
import { shown } from '../schema/visible.ts'
import { isEchoOfCommit, workAsOwner } from '../server/open-storage.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { EXIT } from './exit.ts'
import { forkReader } from './reader-command.ts'
import { tuneV8 } from './v8-flags.ts'

/** Names of variables that have no effect; the server warns of them at start. */
interface OtherVariables {
  readonly unknown: readonly string[]
  /** Set by Kubernetes for a service named "cms". */
  readonly ofService: readonly string[]
}

export async function runServer(config: Config, variables: OtherVariables): Promise<void> {
  // Contents are read only through the server.
  process.umask(0o077)
  workAsOwner(config.dataDir, 'server')
  const log = openLog(config.logLevel)
  passOverSignals(log)
  // A terminal that was closed during the start cannot be written to; SIGHUP already stops the server.
  process.stdout.on('error', () => undefined)
  for (const name of variables.unknown)
    log.warn({ name }, 'unknown variable has no effect; see cms-server start --help')
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
  notifySystemd(log)
  if (server.welcome !== undefined) printFirstSteps(config, server.url, server.welcome)
}

const OF_SERVICE =
  'ignored variables of a service named "cms"; to set the port, use --port, or set enableServiceLinks: false in the pod'

/**
 * Tells systemd that the server listens: a unit with Type=notify counts as started from then on, and a failed
 * start counts as failed for systemctl. sd_notify(3) needs a datagram socket, which Node does not have.
 */
function notifySystemd(log: Log): void {
  if (!waitsForReady()) return
  const told = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  const untold =
    'systemd could not be notified that the server listens; systemd still waits for the server'
  told.on('error', (error) => log.warn({ err: error }, untold))
  told.on('exit', (status) => status !== 0 && log.warn({ status }, untold))
}

function printFirstSteps({ dataDir, baseUrl }: Config, url: string, welcome: string): void {
  const { argv, execPath: node } = process
  const command = ownCommand({ script: argv[1] ?? '', node, path: commandPath() })
  const address = baseUrl ?? onThisMachine(url)
  if (isJournal(fstatSync(process.stdout.fd))) {
    console.log(
      `No user can sign in yet. No link is printed here, because the journal would store it. Set the password of the user "admin" with\n\n  ${command} user password admin --data ${quoted(dataDir)}\n`,
    )
    return
  }
  console.log(`
No user can sign in yet. To set the password of the user "admin", open this link within an hour. The link works once:

  ${address}${welcome}

To work without a browser, create an API key, which is shown only once:

  ${command} key create --data ${quoted(dataDir)} --name first

Then send requests with this key to ${address}/
`)
}

/** A browser cannot open the address of a server that listens on all addresses. */
function onThisMachine(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function endOnSignal(server: RunningServer, log: Log): void {
  stopOnSignals((signal) => {
    log.info({ signal }, 'stopping')
    // systemd ends the process itself and logs every other process that it finds in the unit. After failed
    // commits, however, LMDB's exit hook can make systemd wait for a long time.
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

/** The caller of the commit handles its failure, and ends the process if necessary. */
function endUnlessHarmless(log: Log, reason: unknown): void {
  if (isEchoOfCommit(reason)) log.warn({ err: reason }, 'commit failed')
  else endNow(log, reason)
}

/** Seconds that the process has for its exit. It often hangs after a failure, and hardly ever after a stop. */
const KILL_AFTER_SECONDS = { failure: 1, stop: 5 }

/**
 * Ends the process after a failure that leaves the state of the storage unknown: the next start checks
 * everything.
 */
function endNow(log: Log, cause: unknown): void {
  log.fatal({ err: cause }, 'storage or server failed; restart the server')
  makeSureOfEnd(KILL_AFTER_SECONDS.failure)
  log.flush(() => process.exit(EXIT.storage))
}

/**
 * Starts a process that kills this process after `seconds`. LMDB's exit hook can hang forever after a failure,
 * and Node's own exit can hang while V8 compiles or collects garbage (nodejs/node#54918). The watching process
 * ends together with this process, which holds the other end of its stdin.
 */
function makeSureOfEnd(seconds: number): void {
  const script = `exec 3<&0; sleep ${seconds} & at=$!; { cat <&3; kill $at; } & wait $at && kill -9 ${process.pid}`
  const watch = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without a shell there is no watching process.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  watch.unref()
}

interface Started {
  /** Absolute path from Node, with symbolic links unresolved. */
  readonly script: string
  readonly node: string
  /** The variable PATH. */
  readonly path: string
}

/**
 * npm prepends these directories to the PATH of the programs that it starts; the user's shell does not have
 * them.
 */
const OF_NPM = /[\\/]node_modules[\\/](?:\.bin|npm[\\/].*)$/

/**
 * Returns the words with which a shell starts this program again, quoted where necessary, for printed commands. The reader
 * may run the command elsewhere, for example in a second terminal, so paths are absolute.
 */
function ownCommand({ script, node, path }: Started): string {
  const directories = path.split(delimiter).filter((each) => isAbsolute(each) && !OF_NPM.test(each))
  const find = (name: string): string | undefined =>
    directories.map((directory) => join(directory, name)).find(isProgram)
  const isSame = (found: string | undefined, file: string): boolean =>
    found !== undefined && realpathSync(found) === realpathSync(file)

  // The first line of the script runs the node in PATH, which may differ from the node that runs now.
  const startsItself = isProgram(script) && isSame(find('node'), node)
  if (!startsItself) return `${quoted(node)} ${quoted(script)}`
  const name = [basename(script), 'cms-server'].find((each) => isSame(find(each), script))
  return quoted(name ?? script)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Missing or inaccessible: a shell would not find the program.
    return false
  }
}

const PLAIN = /^[\w@%+=:,./-]+$/

/** One word of a command line. Bytes that a terminal would interpret or not show are written as escapes. */
function quoted(word: string): string {
  if (PLAIN.test(word)) return word
  if (shown(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`
  const bytes = [...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  return `$'${bytes.join('')}'`
}

const WITHOUT_EFFECT = ['SIGUSR1', 'SIGUSR2'] as const
const STOPPING = ['SIGTERM', 'SIGINT'] as const

/**
 * Ignores the signals that must not end the server; must be called first. SIGTERM and SIGINT let running requests finish,
 * and a second signal kills the process at once. Both are as safe as kill -9. No other common signal interrupts requests:
 * - SIGHUP, with which services are asked to reopen their log, is ignored, because the log goes to stderr. From a terminal
 *   it means that the terminal was closed, and stops the server.
 * - SIGUSR1, with which Node opens its inspector, and SIGUSR2 are ignored.
 */
function passOverSignals(log: Log): void {
  const pass = (signal: NodeJS.Signals): void => log.info({ signal }, 'signal ignored')
  for (const signal of WITHOUT_EFFECT) process.on(signal, pass)
  process.on('SIGHUP', (signal) => {
    if (!hasTerminal()) pass(signal)
  })
}

/** `stop` is called once; a second signal kills the process. */
function stopOnSignals(stop: (signal: NodeJS.Signals) => void): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.kill(process.pid, 'SIGKILL')
    isStopping = true
    stop(signal)
  }
  for (const signal of STOPPING) process.on(signal, onSignal)
  process.on('SIGHUP', (signal) => {
    if (hasTerminal() && !isStopping) onSignal(signal)
  })
}

function hasTerminal(): boolean {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
}
