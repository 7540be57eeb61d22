// How a child process of ours ends, once it has said all.

import type { ChildProcess } from 'node:child_process'

const GRACE_MS = 1_000

/**
 * To be called when the last message of a child is here: it is given a moment to end by itself. Node can hang for
 * ever in its own exit when V8 compiles or collects at that moment (nodejs/node#54918), and whoever waits for the
 * end with it. So how a child ends says nothing; what it has sent before does.
 */
export function endSoon(child: ChildProcess): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  child.once('exit', () => clearTimeout(timer))
}
