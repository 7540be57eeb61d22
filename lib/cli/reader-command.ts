// How a server begins the processes that read beside it: by its own program, with the flags that it was given itself.

import { type ChildProcess, fork } from 'node:child_process'

export const READER_COMMAND = 'read-beside'

/** Half of what bin/cms-server gives to one process: there may be many of these. In MiB. */
const SEMI_SPACE = '--max-semi-space-size=2'

/** What comes before `start` and behind it stays as it is, and so does the environment. */
export function forkReader(): ChildProcess {
  const [, script = '', ...words] = process.argv
  const at = words.indexOf('start')
  const execArgv = [...process.execArgv, SEMI_SPACE]
  return fork(script, [...words.slice(0, at), READER_COMMAND, ...words.slice(at + 1)], { execArgv })
}
