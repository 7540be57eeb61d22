// Builds the frames of changes that go to many streams. Each position is built once, and each text once for all
// callers who see the same. The filter of a stream then only selects frames. So the work of a bulk write grows with
// the number of changes, and only its cheapest part grows with the number of streams.

import type { Caller } from '../../auth/caller.ts'
import { holdsAll } from '../../auth/delegation.ts'
import type { TimeSlice } from '../../schema/time-slicing.ts'
import { apiKey } from '../../schema/api-key.ts'
import { user } from '../../schema/user.ts'
import type { Context } from '../context.ts'
import type { ChangeEvent } from '../trail/changes.ts'
import type { ChangeFilter } from '../trail/streams.ts'
import { isSelected, type Keep, openFolderView, type ShownChange } from './change-visibility.ts'
import { positionOf } from './follow.ts'
import { frameBytes } from './stream-frames.ts'

/** A change as shown to some callers, and its frame. */
export interface SharedFrame {
  readonly change: ChangeEvent
  readonly shown: ShownChange
  readonly bytes: Uint8Array
}

export interface SharedFrames {
  /** All changes that the caller sees, in the folder of the filter if there is one. Other requests run in between. */
  of(context: Context, filter: ChangeFilter): Promise<readonly SharedFrame[]>
}

/** Maximum number of cached lists, so that a thousand streams of different folders do not hold one list each. */
const MOST_KEPT = 32

type Shown = WeakMap<ChangeEvent, ShownChange>

export function openSharedFrames(changes: readonly ChangeEvent[], slice: TimeSlice): SharedFrames {
  const isOfPeople = changes.some(({ object }) => PEOPLE.has(object))
  const visibilities = new WeakMap<Caller, string>()
  const framesOf = new Map<string, readonly SharedFrame[]>()
  const positions = new Map<number, string>()
  /** A change without names has the same text for all callers who see it, apart from its number. */
  const shownTo: Readonly<Record<'all' | 'some', Shown>> = {
    all: new WeakMap(),
    some: new WeakMap(),
  }
  /** The names in a change depend on the folders that the caller sees. */
  const namedFor = new Map<string, Shown>()
  const bytesOf = new WeakMap<ShownChange, Uint8Array>()

  function openKeep(caller: Caller, visibility: string): Keep {
    const plain = shownTo[holdsAll(caller) ? 'all' : 'some']
    const named = findOrMake(namedFor, visibility, () => new WeakMap())
    dropOldest(namedFor)
    return (change, make) => findOrMake(change.named === undefined ? plain : named, change, make)
  }

  function build(context: Context, change: ChangeEvent, shown: ShownChange): SharedFrame {
    const { sequence } = change
    const bytes = findOrMake(bytesOf, shown, () =>
      frameBytes(
        findOrMake(positions, sequence, () => positionOf(context, sequence)),
        shown,
      ),
    )
    return { change, shown, bytes }
  }

  return {
    async of(context, { categoryId }) {
      const { caller, records: reader, basePath } = context
      const visibility = findOrMake(visibilities, caller, () => visibilityOf(caller, isOfPeople))
      const name = `${categoryId} ${visibility}`
      const known = framesOf.get(name)
      if (known !== undefined) return known

      const keep = openKeep(caller, visibility)
      const view = openFolderView({ reader, caller, basePath }, { categoryId }, keep)
      const frames: SharedFrame[] = []
      for (const change of changes) {
        const shown = view(change)
        if (shown !== undefined) frames.push(build(context, change, shown))
        if (slice.isOver(0)) await slice.next()
      }
      framesOf.set(name, frames)
      dropOldest(framesOf)
      return frames
    },
  }
}

/** The frames after the position that match the filter. */
export function selectFrames(
  frames: readonly SharedFrame[],
  filter: ChangeFilter,
  position: number,
): readonly Uint8Array[] {
  return frames
    .filter(({ change, shown }) => change.sequence > position && isSelected(filter, change, shown))
    .map(({ bytes }) => bytes)
}

const PEOPLE: ReadonlySet<string> = new Set([user.name, apiKey.name])

/** Callers with the same text see the same changes; for users and keys the key itself is part of the text. */
function visibilityOf({ user: owner, key }: Caller, isOfPeople: boolean): string {
  const { role, category_roles: roles, role_grants: own } = owner
  const ids = isOfPeople ? [key.api_key_id, owner.user_id] : []
  return JSON.stringify([role, roles, own, key.grants, key.asset_category_id, ids])
}

interface Store<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function findOrMake<Key, Value>(values: Store<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

function dropOldest(values: Map<string, unknown>): void {
  if (values.size <= MOST_KEPT) return
  for (const oldest of values.keys()) {
    values.delete(oldest)
    return
  }
}
