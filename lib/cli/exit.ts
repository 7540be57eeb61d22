// Exit codes and the mapping from errors to them. The numbers follow sysexits.h where it has a fitting one.

import { CommanderError, InvalidArgumentError } from 'commander'
import { CmsError } from '../base/errors.ts'
import { ClientError } from '../client/client-error.ts'
import { parseIdentifier } from '../schema/names.ts'
import { shown, shownLines } from '../schema/visible.ts'
import { whatStoreSaid } from '../cluster/open-cluster.ts'
import { whyNotOpened } from '../server/open-storage.ts'

export const EXIT = Object.freeze({
  ok: 0,
  /** The command failed, or `check`, `backup`, `restore` or `migrate` found faults. */
  failed: 1,
  /** Unknown command or flag, or an invalid value of a flag or variable. */
  usage: 2,
  /** The data directory is damaged or not usable by this version, or the database or the store rejects this server. */
  data: 65,
  /** The storage failed while the server was running; restart it. */
  storage: 70,
  /** Another server owns the data directory. */
  inUse: 75,
})

export const EXIT_HELP = `
Exit codes:
  0   the command succeeded, or the server stopped after SIGTERM or SIGINT
  1   the command failed, or check, backup, restore or migrate found faults
  2   the command line or a setting is invalid
  65  the data directory is damaged, has another format, or was not created by cms-server; or
      the database or the store of a cluster rejects this server; nothing was changed
  70  the storage failed while the server was running; start the server again
  75  another server owns the data directory`

export function exitCodeOf(error: unknown): number {
  const why = whyNotOpened(error)
  if (why === 'refused') return EXIT.data
  return why === 'in use' ? EXIT.inUse : EXIT.failed
}

/** One line for expected errors; unexpected errors keep their stack. */
export function messageOf(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException
  const more = whatStoreSaid(error)
  if (more !== undefined) return shown(`${message} (${more})`)
  if (isForPeople(error) || code !== undefined) return shown(message)
  return shownLines(stack ?? String(error))
}

function isForPeople(error: unknown): boolean {
  if (error instanceof CmsError || error instanceof ClientError) return true
  return whyNotOpened(error) !== undefined
}

/**
 * Returns the result of `read`. If `read` rejects a value, the command exits with EXIT.usage, so that a
 * supervisor does not restart it.
 */
export function orUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    console.error(`error: ${error.message}`)
    throw new CommanderError(EXIT.usage, 'cms.usage', error.message)
  }
}

export function readCount(text: string): number {
  const value = parseIdentifier(text)
  if (value !== undefined) return value
  throw new InvalidArgumentError('Give a whole number of at least 1.')
}
