// A word to one of the scripts. Not in the way of the clients, which are in the same process.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What it said. */
export async function tell(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('bash', [script, ...args])
  return stdout.trim()
}
