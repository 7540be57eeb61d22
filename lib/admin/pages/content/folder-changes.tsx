// Lists the changes in a folder and below it since a day.

import { useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { ChangeList } from '../audit/change-list.tsx'
import { findChanges } from '../audit/joined-changes.ts'
import { instantsOf, localOf } from './local-time.ts'
import type { FolderRecord } from './records.ts'

const DAY_MS = 86_400_000
const DAYS_BEFORE = 7
const MOST = 200

interface FolderChangesProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
}

export function FolderChanges({ folder, onClose }: FolderChangesProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { asset_category_id: folderId, name } = folder
  const [day, setDay] = useState(() =>
    localOf(new Date(Date.now() - DAYS_BEFORE * DAY_MS).toISOString()).slice(0, 10),
  )
  const found = useRequest(
    async (signal) => {
      // Clocks that skip midnight skip it for an hour.
      const [since] = [...instantsOf(`${day}T00:00`), ...instantsOf(`${day}T01:00`)]
      return since === undefined
        ? undefined
        : findChanges(api, { since, folderId, most: MOST }, signal)
    },
    [day, folderId],
  )
  const { data, error } = found
  const isGone = error instanceof Problem && error.code === 'change-log-gone'
  return (
    <Dialog title={fill(t.content.changes.title, { name })} onClose={onClose}>
      <TextInput
        name="since"
        type="date"
        label={t.content.changes.since}
        value={day}
        onChange={setDay}
        isFocused
      />
      {isGone ? (
        <Notice kind="info">{t.content.changes.gone}</Notice>
      ) : (
        ((data === undefined && found.isLoading) || error !== undefined) && (
          <Loading {...found} lines={6} />
        )
      )}
      {data !== undefined && error === undefined && (
        <>
          {data.count === 0 && <p>{t.content.changes.none}</p>}
          {data.count > 0 && <ChangeList {...data} />}
          {(data.hasMore || data.count > data.lines.length) && (
            <p class="quiet">
              {fill(t.content.changes.more, { count: formats.number(data.lines.length) })}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
