// Lists the changes of other users since midnight, newest first. Changes of the same record, and of entries of the same module,
// are one line.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { operations } from '../../client/interface.d.ts'
import type { Me } from '../../client/me.ts'
import { findNames } from '../../client/record-names.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Section } from '../../ui/page.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Subject } from '../audit/subject.tsx'

type Change =
  operations['follow_changes']['responses'][200]['content']['application/json']['change'][number]

const OBJECTS =
  'asset_file,asset_category,file_group,datatable,datatable_entry,calendar,calendar_entry'
const PAGE_LENGTH = 1_000
/** A program that writes all day must not make this page read all of its changes. */
const MOST_PAGES = 3
const MOST_LINES = 8

export function ChangedToday({ me }: { readonly me: Me }) {
  const { t, formats } = useTexts()
  const { data } = useChangedToday(me.user.name)
  if (data === undefined || data.lines.length === 0) return null
  const { lines, names } = data
  const shown = lines.slice(0, MOST_LINES)
  const texts: Readonly<Record<string, string>> = t.audit.did
  return (
    <Section title={t.start.changedToday}>
      <ul class="start-files card">
        {shown.map(({ change, ids }) => (
          <li key={change.sequence ?? keyOf(change)}>
            <p class="start-change">
              <Sentence
                text={texts[wordOf(change)] ?? t.audit.did.update}
                values={{
                  who: <strong>{change.user_name}</strong>,
                  what: <Subject record={{ ...change, count: ids.size }} names={names} />,
                }}
              />
            </p>
            <span class="quiet">
              <DateTime date={change.date_added} isRelative />
            </span>
          </li>
        ))}
      </ul>
      {lines.length > shown.length && (
        <p class="quiet">{formats.count(t.start.moreChanges, lines.length - shown.length)}</p>
      )}
    </Section>
  )
}

function useChangedToday(own: string) {
  const api = useApi()
  return useRequest(
    async (signal) => {
      const changes = await readToday(api, signal)
      const lines = joined(changes.filter(({ user_name: name }) => name !== null && name !== own))
      const records = lines.slice(0, MOST_LINES).map(({ change }) => change)
      return { lines, names: await findNames(api, records, signal) }
    },
    [own],
  )
}

async function readToday(api: Api, signal: AbortSignal): Promise<readonly Change[]> {
  const midnight = new Date()
  midnight.setHours(0, 0, 0, 0)
  const changes: Change[] = []
  let since = midnight.toISOString()
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { since, object: OBJECTS, length: PAGE_LENGTH }
    const found = await dataOf(api.GET('/change', { signal, params: { query } }))
    changes.push(...found.change)
    if (found.change.length < PAGE_LENGTH) break
    since = found.page.next
  }
  return changes
}

interface Line {
  /** The newest change of the line. */
  readonly change: Change
  readonly ids: ReadonlySet<number>
}

function joined(changes: readonly Change[]): readonly Line[] {
  const lines = new Map<string, Line>()
  for (const change of changes.toReversed()) {
    const key = keyOf(change)
    const line = lines.get(key)
    const ids = new Set(line?.ids).add(change.object_id)
    lines.set(key, { change: line?.change ?? change, ids })
  }
  return [...lines.values()]
}

function keyOf({ user_name: user, object, object_id: id, module_id: moduleId, action }: Change) {
  return moduleId === null
    ? `${user} ${object} ${id}`
    : `${user} ${object} of ${moduleId} ${action}`
}

/** A save that published or staged the file is described by this result. */
function wordOf({ action, fileState }: Change): string {
  return action === 'update' && fileState !== null ? fileState : action
}
