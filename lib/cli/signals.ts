// What signals do to the server. SIGTERM and SIGINT let requests finish; a second one does not wait. Both are as
// safe as kill -9. No other signal that somebody sends in good faith ends requests in their middle:
// - SIGHUP, by which services are told to open their log anew, changes nothing: the log goes to stderr. From a
//   terminal it tells that the terminal has gone, and is a stop like the others.
// - SIGUSR1, by which Node opens its inspector, and SIGUSR2 change nothing.

import type { Log } from '../base/log.ts'

const WITHOUT_EFFECT = ['SIGUSR1', 'SIGUSR2'] as const
const STOPPING = ['SIGTERM', 'SIGINT'] as const

/** From here on no signal but SIGTERM and SIGINT ends the process; to be called first of all. */
export function passOverSignals(log: Log): void {
  const pass = (signal: NodeJS.Signals): void => log.info({ signal }, `${signal} changes nothing`)
  for (const signal of WITHOUT_EFFECT) process.on(signal, pass)
  process.on('SIGHUP', (signal) => {
    if (!hasTerminal()) pass(signal)
  })
}

/** `stop` is called once; whoever sends another signal then does not want to wait. */
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
