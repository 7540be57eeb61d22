// Sequences of calls by many principals. Each sequence has its own folder on one server or on
// several nodes of a site. The rules of authority judge each answer, and the ceilings judge each
// change. At the end of a sequence the rig asks the server what each principal can do.

import fc from 'fast-check'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import type { Place } from '../nodes.ts'
import { bulkCommands } from './bulk-commands.ts'
import { type Command, type Site } from './command.ts'
import { compareAll } from './compare.ts'
import { findLastRow } from './compare-audit.ts'
import { folderCommands } from './folder-commands.ts'
import { keyCommands } from './key-commands.ts'
import { lookCommands } from './look-commands.ts'
import { type Fault, FAULTS } from './rules.ts'
import { anyBeginning, begin } from './setup.ts'
import { sessionCommands } from './session-commands.ts'
import { streamCommands } from './stream-commands.ts'
import { userCommands } from './user-commands.ts'
import { OPERATOR_USER } from './state.ts'
import { webhookCommands } from './webhook-commands.ts'
import { openWorld, type World } from './world.ts'

export interface AuthorityOptions {
  readonly seed: number
  readonly sequences: number
  readonly maxCommands: number
  /** Repeats the sequence with the path from a failure message. */
  readonly path?: string | undefined
  /** Runs on several nodes of a site; undefined means a single server. */
  readonly place?: Place | undefined
  /**
   * The faults to look for; all faults if undefined. After any other fault the model follows the
   * server.
   */
  readonly faults?: readonly string[] | undefined
  /** The names of the commands to run; all commands if undefined. */
  readonly only?: readonly string[] | undefined
  /** Called with each failing sequence before shrinking, which takes a while. */
  readonly onFailure?: (error: unknown) => void
}

export interface AuthorityOutcome {
  readonly requests: number
  readonly granted: number
  readonly refused: number
  readonly probes: number
}

const COMMANDS = [
  ...keyCommands,
  ...userCommands,
  ...sessionCommands,
  ...folderCommands,
  ...bulkCommands,
  ...streamCommands,
  ...webhookCommands,
  ...lookCommands,
]

/** Rejects with the shortest failing sequence. */
export async function runAuthority(options: AuthorityOptions): Promise<AuthorityOutcome> {
  const { seed, sequences, maxCommands, path, place } = options
  const faults = readFaults(options.faults)
  const total = { requests: 0, granted: 0, refused: 0, probes: 0 }
  let world: World | undefined

  async function end(): Promise<void> {
    const closing = world
    world = undefined
    if (closing === undefined) return
    for (const name of Object.keys(total) as (keyof typeof total)[])
      total[name] += closing.counts[name]
    await closing.close()
  }

  // Each item is a whole command, and fast-check builds the sequence.
  const calls = fc.commands([anyCommandOf(options.only)], { maxCommands, size: 'max' })
  const turns = fc.nat()
  const property = fc.asyncProperty(anyBeginning, calls, turns, async (beginning, commands, by) => {
    world ??= await openWorld(faults, place)
    world.begin(by)
    try {
      await runSequence(await begin(beginning, world), commands, world)
    } catch (error) {
      // After a failure the world is discarded, because a principal with too many rights may have
      // changed anything.
      await end()
      options.onFailure?.(error)
      throw error
    }
  })
  try {
    await fc.assert(property, { seed, numRuns: sequences, ...(path !== undefined && { path }) })
  } finally {
    await end()
    removeDataDirectories()
  }
  return total
}

function anyCommandOf(names: readonly string[] | undefined): fc.Arbitrary<Command> {
  const unknown = names?.find((name) => COMMANDS.every((item) => item.name !== name))
  if (unknown !== undefined) throw new Error(`There is no command ${unknown}.`)
  return fc.oneof(...COMMANDS.filter(({ name }) => names?.includes(name) !== false))
}

function readFaults(names: readonly string[] | undefined): ReadonlySet<Fault> {
  const all = Object.keys(FAULTS) as Fault[]
  const unknown = names?.find((name) => !all.includes(name as Fault))
  if (unknown !== undefined) throw new Error(`There is no fault ${unknown}: ${all.join(', ')}.`)
  return new Set(names === undefined ? all : all.filter((name) => names.includes(name)))
}

const SEEN_AT_THE_END: readonly Fault[] = ['told', 'reach', 'webhook', 'record', 'audit']

async function runSequence(site: Site, all: Iterable<Command>, world: World): Promise<void> {
  const lastRow = await findLastRow(world)
  try {
    await fc.asyncModelRun(() => ({ model: site, real: world }), all)
    await site.streams.finish()
  } finally {
    site.streams.close()
  }
  if (SEEN_AT_THE_END.some((fault) => world.faults.has(fault)))
    await compareAll(site, world, lastRow)
  await tidyUp(site, world)
}

/** Deletes the keys and users of a sequence, so that later lists do not contain them. */
async function tidyUp({ model }: Site, world: World): Promise<void> {
  const { secret } = world.operator
  const remove = (path: string): Promise<unknown> => world.ask(secret, { method: 'DELETE', path })
  for (const id of model.keys.keys())
    if (id !== model.operator.keyId) await remove(`/api/v2/api_key/${id}`)
  for (const id of model.webhooks.keys()) await remove(`/api/v2/webhook/${id}`)
  for (const id of model.users.keys()) if (id !== OPERATOR_USER) await remove(`/api/v2/user/${id}`)
}
