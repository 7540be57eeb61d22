// Ends a child process that has sent its last message.

import type { ChildProcess } from 'node:child_process'

const GRACE_MS = 1_000

/**
 * Call after the last message of a child, which then has a moment to exit. Node can hang for ever in its own exit if V8
 * compiles or collects garbage at that moment (nodejs/node#54918), and the parent would wait for ever. The exit status of
 * a child therefore means nothing; its messages count.
 */
export function endSoon(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  child.once('exit', () => clearTimeout(timer))
}
