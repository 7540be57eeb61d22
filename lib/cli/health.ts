// cms-server health: sends one request to the server on this machine, for the health check of a container.

import { type Command, Option } from 'commander'
import { listenOptions } from '../config/config.ts'
import { EXIT } from './exit.ts'
import { printLine } from './print.ts'

interface HealthFlags {
  readonly host: string
  readonly port: number
  readonly ready: boolean
}

const TIMEOUT_MS = 5_000

/** A server that listens on every address answers on loopback. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export function addHealthCommand(program: Command): void {
  const command = program
    .command('health')
    .description('check that the server on this machine responds; exit code 1 if it does not')
  for (const option of listenOptions()) {
    // The descriptions of `start` are about listening.
    option.description = `${option.name()} of the server`
    command.addOption(option)
  }
  command
    .addOption(
      new Option('--ready', 'check that the server accepts all requests (/ready)').default(false),
    )
    .action(async ({ host, port, ready }: HealthFlags) => {
      const address = LOOPBACK[host] ?? host
      const path = ready ? '/ready' : '/health'
      const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}${path}`
      const outcome = await ask(url)
      printLine(`${url} ${outcome.says}`)
      if (!outcome.isWell) process.exitCode = EXIT.failed
    })
}

async function ask(url: string): Promise<{ readonly isWell: boolean; readonly says: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status, reason } = (await answer.json()) as Readonly<Record<string, unknown>>
    return { isWell: answer.ok, says: `${answer.status} ${String(reason ?? status)}` }
  } catch (error) {
    const { message, cause } = error as Error
    return { isWell: false, says: cause instanceof Error ? cause.message : message }
  }
}
