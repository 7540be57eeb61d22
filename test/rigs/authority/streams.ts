// Streams of the change log that stay open while commands run. Whenever the visible records of a
// listener change, a marker is sent through its stream: everything before the marker has arrived, so
// that no timeout decides. A change must be sent if it was visible before and after, and may be sent
// if it was visible at one of both times.

import type { StreamEvent, TestStream } from '../../helpers/follow.ts'
import { changesSince, findPosition, show } from './compare-sight.ts'
import { actionFor, type Change, views, viewsAnything, withGone } from './sight-rules.ts'
import { isAlive, type Model, type Principal } from './state.ts'
import type { World } from './world.ts'

export interface Streams {
  /** False if a stream is open already: one at a time is enough, and cheap. */
  readonly isFree: () => boolean
  open(own: Principal, who: string): Promise<void>
  /** Call after each change of the model. */
  settle(): Promise<void>
  /** Checks the last changes and closes the stream. */
  finish(): Promise<void>
  close(): void
}

interface Listener {
  readonly own: Principal
  readonly who: string
  readonly stream: TestStream
  /** The position, or the sequence number, after which nothing was checked yet. */
  since: string
  /** Number of the events that were checked. */
  checked: number
  before: Model
  sight: string
}

const OBJECTS = 'asset_category,asset_file,file_group,datatable,calendar,datatable_entry'
/** Only a server that neither sends nor ends a stream takes so long. */
const SILENT_MS = 20_000

// oxlint-disable-next-line eslint/max-lines-per-function -- its closures share the listener
export function openStreams(model: Model, world: World): Streams {
  let listener: Listener | undefined

  function close(): void {
    listener?.stream.close()
    listener = undefined
  }

  /** Sends a marker and checks everything before it. */
  async function check(heard: Listener): Promise<void> {
    const { own, who, stream, before, checked } = heard
    const lives = isAlive(model, own, world.now())
    const folder = placeOf(lives ? model : before, own, model)
    if (lives && folder === undefined) return close()
    const probe = model.folders.get(folder ?? 0)?.probe ?? world.siteProbe
    const isMarker = ({ data }: StreamEvent): boolean =>
      data.object_id === probe && data.object === 'asset_file' && isTitle(data)
    await world.mark(probe)
    const isHeard = await hears(world, stream, { from: checked, isMarker })
    if (lives && !isHeard) world.complain('stream', `the stream of ${who} has ended`)
    if (!lives && isHeard) world.complain('stream', `the stream of ${who} goes on after its end`)

    const { changes: all } = await changesSince(world, `${heard.since}&object=${OBJECTS}`)
    const marker = all.findLast((change) => change.object_id === probe && isTitle(change))
    const end = marker?.sequence ?? 0
    const changes = all.filter(({ sequence }) => (lives ? sequence <= end : sequence < end))
    const told = stream.events.slice(checked).map(({ data }) => show(data, data.action))
    const due = changes.map((change) => wantOf(change, own, [before, lives ? model : undefined]))
    if (!fits(due, told))
      world.complain(
        'stream',
        `${who} was told ${told.join(', ')}, and not ${due.map(({ actions, isDue }) => `${isDue ? '' : 'perhaps '}${actions.join(' or ') || 'nothing'}`).join(', ')}`,
      )
    if (!lives) return close()
    heard.since = String(end)
    heard.checked = stream.events.length
    heard.before = copyOf(model)
  }

  return {
    isFree: () => listener === undefined,
    async open(own, who) {
      const since = await findPosition(world)
      const stream = await world.listen(own.secret, `since=${since}&object=${OBJECTS}`)
      const { statusCode: status } = stream.answer
      const key = model.keys.get(own.keyId)
      const lives = key !== undefined && isAlive(model, own, world.now())
      const isDue = lives && viewsAnything(model, key)
      world.note(`${who}: opens a stream → ${status}`)
      if (isDue ? status !== 200 : status === 200 && !lives)
        world.complain('stream', `the stream of ${who} is ${status}`)
      // The rules do not say whether a key that views nothing may listen.
      if (status !== 200 || !isDue) return stream.close()
      const sight = sightOf(model, world, own)
      listener = { own, who, stream, since, checked: 0, before: copyOf(model), sight }
    },
    async settle() {
      if (listener === undefined) return
      const sight = sightOf(model, world, listener.own)
      if (sight === listener.sight) return
      listener.sight = sight
      await check(listener)
    },
    async finish() {
      if (listener !== undefined) await check(listener)
      close()
    },
    close,
  }
}

function isTitle({
  changed_fields: fields,
}: {
  readonly changed_fields: readonly string[] | null
}): boolean {
  return fields?.includes('title') === true
}

/** The values are never changed, so the maps are copied alone. */
function copyOf(model: Model): Model {
  const { folders, gone, users, keys } = model
  return {
    ...model,
    folders: new Map(folders),
    gone: new Map(gone),
    users: new Map(users),
    keys: new Map(keys),
  }
}

function sightOf(model: Model, world: World, own: Principal): string {
  const key = model.keys.get(own.keyId)
  if (key === undefined || !isAlive(model, own, world.now())) return 'over'
  const all = withGone(model)
  return [...all.folders.keys()].filter((id) => views(all, key, id)).join()
}

/** A folder that the principal views and that is there now. */
function placeOf(sight: Model, own: Principal, now: Model): number | undefined {
  const key = sight.keys.get(own.keyId)
  return [...now.folders].find(
    ([id, { probe }]) => probe !== 0 && key !== undefined && views(sight, key, id),
  )?.[0]
}

interface Want {
  /** How the change may be told. */
  readonly actions: readonly string[]
  readonly isDue: boolean
}

function wantOf(change: Change, own: Principal, models: readonly (Model | undefined)[]): Want {
  const actions = models.map((model) => model && actionFor(model, own, change))
  const known = actions.filter((action) => action !== undefined)
  return {
    actions: [...new Set(known)].map((action) => show(change, action)),
    isDue: known.length === models.length,
  }
}

/** Whether the events are all that is due, and nothing else, in order. */
function fits([want, ...wants]: readonly Want[], told: readonly string[]): boolean {
  if (want === undefined) return told.length === 0
  const [first, ...rest] = told
  if (first !== undefined && want.actions.includes(first) && fits(wants, rest)) return true
  return !want.isDue && fits(wants, told)
}

interface Awaited {
  readonly from: number
  readonly isMarker: (event: StreamEvent) => boolean
}

/** False if the stream has ended without the marker. */
async function hears(
  world: World,
  stream: TestStream,
  { from, isMarker }: Awaited,
): Promise<boolean> {
  for (;;) {
    if (stream.events.slice(from).some(isMarker)) return true
    const next = stream.until(stream.events.length + 1).then(
      () => true,
      () => false,
    )
    const silence = AbortSignal.timeout(SILENT_MS)
    const isSilent = new Promise<undefined>((resolve) => {
      silence.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const isOn = await Promise.race([next, isSilent])
    if (isOn === undefined) world.fail('A stream neither sends a change nor ends.')
    if (!isOn) return false
  }
}
