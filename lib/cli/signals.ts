// Signals of the server. SIGTERM and SIGINT let running requests finish; a second signal kills the process at
// once. Both are as safe as kill -9. No other common signal interrupts requests:
// - SIGHUP, with which services are asked to reopen their log, is ignored, because the log goes to stderr.
// From a terminal it means that the terminal was closed, and stops the server.
// - SIGUSR1, with which Node opens its inspector, and SIGUSR2 are ignored.

import type { Log } from '../base/log.ts'

const WITHOUT_EFFECT = ['SIGUSR1', 'SIGUSR2'] as const
const STOPPING = ['SIGTERM', 'SIGINT'] as const

/** From now on only SIGTERM and SIGINT end the process; must be called first. */
export function passOverSignals(log: Log): void {
  const pass = (signal: NodeJS.Signals): void => log.info({ signal }, 'signal ignored')
  for (const signal of WITHOUT_EFFECT) process.on(signal, pass)
  process.on('SIGHUP', (signal) => {
    if (!hasTerminal()) pass(signal)
  })
}

/** `stop` is called once; a second signal kills the process. */
export function stopOnSignals(stop: (signal: NodeJS.Signals) => void): void {
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
