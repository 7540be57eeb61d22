// Sequences of commands, each in its own folder on one server or on several nodes of a site. At the
// end of each sequence, every node must return what the model says.

import fc from 'fast-check'
import { removeDataDirectories } from '../../helpers/data-directory.ts'
import type { Place } from '../nodes.ts'
import { openProgress } from '../progress.ts'
import { bulkCommands } from './bulk-commands.ts'
import { type Command } from './command.ts'
import { compareAll } from './compare.ts'
import { fileCommands, firstFileCommands } from './file-commands.ts'
import { firstOtherCommands, otherCommands } from './other-commands.ts'
import { newModel } from './state.ts'
import { openWorld, type World } from './world.ts'

export interface ModelOptions {
  readonly seed: number
  readonly sequences: number
  readonly maxCommands: number
  /** Repeats the sequence with the path from a failure message. */
  readonly path?: string | undefined
  /** Runs on several nodes of a site; undefined means a single server. */
  readonly place?: Place | undefined
  /** Called with each failing sequence before shrinking, which takes a while. */
  readonly onFailure?: (error: unknown, commands: string) => void
}

export interface ModelOutcome {
  readonly commands: number
  readonly restarts: number
}

const first = fc.tuple(...firstFileCommands, ...firstOtherCommands)
/** Determines which node receives each request. */
const anyTurns = fc.nat()
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  ...fileCommands,
  ...otherCommands,
  ...bulkCommands,
)

/** Rejects with the shortest failing sequence. */
export async function runModel(options: ModelOptions): Promise<ModelOutcome> {
  const world = await openWorld(options.place)
  let compared = 0
  const progress = openProgress('model', () => {
    const { requests, restarts } = world.counts
    return `${compared} sequences compared, ${requests} requests, ${restarts} restarts`
  })
  try {
    // Each item is a whole command, and fast-check builds the sequence.
    const sequence = fc.commands([anyCommand], { maxCommands: options.maxCommands, size: 'max' })
    await fc.assert(
      fc.asyncProperty(first, sequence, anyTurns, async (some, all, turns) => {
        await world.begin(turns)
        await runSequence([...some, ...all], world).catch((error: unknown) => {
          options.onFailure?.(error, String(all))
          throw error
        })
        compared += 1
      }),
      {
        seed: options.seed,
        numRuns: options.sequences,
        ...(options.path && { path: options.path }),
      },
    )
    const { requests: commands, restarts } = world.counts
    return { commands, restarts }
  } finally {
    progress.close()
    await world.close()
    removeDataDirectories()
  }
}

let sequences = 0

async function runSequence(all: Iterable<Command>, world: World): Promise<void> {
  sequences += 1
  const json = { name: `sequence ${sequences}` }
  const { body } = await world.call('POST', '/api/v2/asset_category', { json })
  const model = newModel(body.asset_category_id)
  await fc.asyncModelRun(() => ({ model, real: world }), all)
  for (const node of await world.each()) await compareAll(model, node)
}
