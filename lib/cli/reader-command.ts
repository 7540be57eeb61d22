// Starts reader processes: the same program with the flags of this process.

import { type ChildProcess, fork } from 'node:child_process'

export const READER_COMMAND = 'read-beside'

/** Half of the size that bin/cms-server sets, because there may be many readers. In MiB. */
const SEMI_SPACE = '--max-semi-space-size=2'

/** Words before and after `start` stay the same, and so does the environment. */
export function forkReader(): ChildProcess {
  const [, script = '', ...words] = process.argv
  const at = words.indexOf('start')
  const execArgv = [...process.execArgv, SEMI_SPACE]
  return fork(script, [...words.slice(0, at), READER_COMMAND, ...words.slice(at + 1)], { execArgv })
}
