// Redocly's command line, an independent validator of OpenAPI documents. It runs without telemetry and update
// checks.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const PACKAGE = require.resolve('@redocly/cli/package.json')

const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The configuration of the project, found from any output directory of the compiler. */
export const REDOCLY_CONFIG = findUp(import.meta.dirname, 'redocly.yaml')

export async function runRedocly(args: readonly string[]): Promise<Outcome> {
  return outcomeOf(startRedocly(args))
}

export function startRedocly(args: readonly string[]): ChildProcess {
  const { bin } = require(PACKAGE) as { readonly bin: { readonly redocly: string } }
  const program = join(dirname(PACKAGE), bin.redocly)
  return spawn(process.execPath, [program, ...args], { env: { ...process.env, ...QUIET } })
}

export function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const chunks: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => chunks[name].push(text))
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ status, stdout: chunks.stdout.join(''), stderr: chunks.stderr.join('') }),
    )
  })
}

function findUp(start: string, name: string): string {
  const path = join(start, name)
  if (existsSync(path)) return path
  if (start === dirname(start)) throw new Error(`There is no ${name} above this file.`)
  return findUp(dirname(start), name)
}
