// Runs a command of one of the scripts without blocking the clients in the same process.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns the output of the script. */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('bash', [script, ...args])
  return stdout.trim()
}
