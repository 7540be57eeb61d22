// What the environment tells apart from settings: who started this process, and which variables are not for this server.

import type { Command } from 'commander'

/** Variables of the other commands and of the launcher. */
const OTHER_VARIABLES = ['CMS_KEY', 'CMS_URL', 'CMS_SOURCE']

/** Variables that begin like a setting and are not one. The start warns of each, because a typing error changes nothing. */
export function findUnknownVariables({ options }: Command): readonly string[] {
  const known = new Set([...OTHER_VARIABLES, ...options.map(({ envVar }) => envVar)])
  return Object.keys(process.env).filter((name) => name.startsWith('CMS_') && !known.has(name))
}

/** Kubernetes sets these in every container of a namespace that has a service named "cms" (Docker links do the same). */
const SERVICE_NAME =
  /^CMS_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//

/**
 * Removes the variables that hold no setting before anything reads a setting: empty ones, which a compose file makes of a
 * value that nobody set, and those of a service named "cms". Returns the names of the latter.
 */
export function removeForeignVariables(): readonly string[] {
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith('CMS_'))
  const ofService = ours.filter(
    ([name, value = '']) =>
      SERVICE_NAME.test(name) || (name === 'CMS_PORT' && SERVICE_ADDRESS.test(value)),
  )
  const empty = ours.filter(([, value = '']) => value.trim() === '')
  for (const [name] of [...ofService, ...empty]) delete process.env[name]
  return ofService.map(([name]) => name)
}

/** True where systemd has started this very process, and sees to its end: TimeoutStopSec= of the unit. */
export function isMainProcessOfUnit(): boolean {
  return process.env['SYSTEMD_EXEC_PID'] === String(process.pid)
}

/** Whether an open file is the journal, which keeps what is written and shows it to others: JOURNAL_STREAM of systemd.exec(5). */
export function isJournal({ dev, ino }: { readonly dev: number; readonly ino: number }): boolean {
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`
}

/** Whether systemd waits to be told that the server listens: Type=notify of the unit. */
export function waitsForReady(): boolean {
  return process.env['NOTIFY_SOCKET'] !== undefined
}

/** Where a shell looks for commands. */
export function commandPath(): string {
  return process.env['PATH'] ?? ''
}
