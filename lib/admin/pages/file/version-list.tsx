// The versions of a file, newest first, with author, time, status and actions.

import { useEffect, useState } from 'preact/hooks'
import { dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge, StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { subjectOf, usePublicationToast } from '../content/publication.ts'
import type { FileRecord } from '../content/records.ts'

export interface VersionListProps {
  readonly file: FileRecord
  readonly etag: string
  readonly grants: ReadonlySet<Grant>
  readonly shown: number
  readonly round: number
  readonly onShow: (version: number, against?: number) => void
  readonly onChange: () => void
}

const LENGTH = 30

export function VersionList(props: VersionListProps) {
  const { file, round } = props
  const { t } = useTexts()
  const api = useApi()
  const [length, setLength] = useState(LENGTH)
  const { asset_file_id: id } = file
  useEffect(() => setLength(LENGTH), [id])
  const loaded = useRequest(
    (signal) =>
      dataOf(
        api.GET('/asset_file/{id}/versions', {
          signal,
          params: { path: { id }, query: { length } },
        }),
      ),
    [id, round, length],
  )
  if (loaded.data === undefined) return <Loading {...loaded} lines={4} />
  const { asset_file_version: versions, page } = loaded.data
  return (
    <div class="version-list">
      <ol>
        {versions.map((version) => (
          <Version
            key={version.version}
            {...props}
            version={version as Version}
            older={
              versions.find(({ version: number }) => (number ?? 0) < (version.version ?? 0))
                ?.version
            }
          />
        ))}
      </ol>
      {page.next !== null && (
        <Button onPress={() => setLength(length + LENGTH)} isBusy={loaded.isLoading}>
          {t.file.older}
        </Button>
      )}
    </div>
  )
}

interface Version {
  readonly version: number
  readonly size: number
  readonly date_added: string
  readonly owner: string
  readonly is_live: boolean
  readonly is_staged: boolean
  readonly damaged: boolean
  readonly version_note: string | null
}

interface VersionProps extends VersionListProps {
  readonly version: Version
  /** The previous visible version. */
  readonly older: number | undefined
}

function Version(props: VersionProps) {
  const { file, version, shown, onShow } = props
  const { t, formats } = useTexts()
  const { version: number, is_live: isLive, is_staged: isStaged } = version
  const items = useVersionItems(props)
  const name = fill(t.file.version, { version: formats.number(number) })
  return (
    <li class={number === shown ? 'version version-shown' : 'version'}>
      <button
        type="button"
        class="version-open"
        aria-current={number === shown}
        onClick={() => onShow(number)}
      >
        <span class="version-name">
          <strong>{name}</strong>
          {isLive && <StateBadge state="live" />}
          {isStaged && !isLive && <StateBadge state="staged" />}
          {file.pinned_versions?.includes(number) === true && <Badge>{t.file.pinned}</Badge>}
          {version.damaged && <Badge kind="danger">{t.state.damaged}</Badge>}
        </span>
        <span class="quiet">
          <Person name={version.owner} />, <DateTime date={version.date_added} isRelative />,{' '}
          <Bytes count={version.size} />
        </span>
        {version.version_note !== null && <span class="version-note">{version.version_note}</span>}
      </button>
      {items.length > 0 && (
        <Menu
          button={{
            icon: 'more',
            label: fill(t.file.versionActions, { version: formats.number(number) }),
          }}
          items={items}
        />
      )}
    </li>
  )
}

function useVersionItems(props: VersionProps): readonly MenuItem[] {
  const { file, grants, version, older, shown, onShow } = props
  const { t, formats } = useTexts()
  const { version: number } = version
  const work = useVersionWork(props)
  const pinItem = usePinItem(props, work.run)
  const mayCompare = grants.has('modify')
  const items: readonly (MenuItem & { readonly isShown: boolean })[] = [
    {
      text: t.file.compareBefore,
      icon: 'history',
      isShown: mayCompare && older !== undefined,
      onChoose: () => onShow(number, older),
    },
    {
      text: fill(t.file.compareShown, { version: formats.number(shown) }),
      icon: 'code',
      isShown: mayCompare && number !== shown,
      onChoose: () => onShow(shown, number),
    },
    {
      text: t.file.publishThis,
      icon: 'globe',
      isShown: grants.has('publish') && !version.is_live,
      onChoose: () => void work.run(work.publish),
    },
    {
      text: t.file.restore,
      icon: 'arrowUp',
      isShown: grants.has('modify') && number !== file.version,
      onChoose: () =>
        void work.run(work.restore, fill(t.file.restored, { version: formats.number(number) })),
    },
    { ...pinItem, isShown: grants.has('modify') },
  ]
  return items.filter(({ isShown }) => isShown)
}

/** The changes that a menu item makes, with the message of each. */
function useVersionWork({ file, etag, version, onShow, onChange }: VersionProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const tellPublication = usePublicationToast()
  const { version: number } = version
  const told = formats.number(number)
  const header = { 'If-Match': etag }
  const { asset_file_id: id } = file

  const name = subjectOf(id)

  async function run(work: () => Promise<unknown>, text?: string): Promise<void> {
    try {
      await work()
      if (text !== undefined) toast({ text, name })
    } catch (error) {
      toast.problem(error, name)
    }
    onChange()
  }

  const publish = async (): Promise<void> => {
    const params = { path: { id }, query: { version: number }, header }
    const published = await recordOf(api.POST('/asset_file/{id}/publish', { params }))
    tellPublication({
      text: fill(t.file.published, { version: told }),
      before: file,
      after: published.record,
      etag: published.etag,
      onUndone: onChange,
    })
  }
  const restore = async (): Promise<void> => {
    const params = { path: { id, version: number }, header }
    const made = await dataOf(api.POST('/asset_file/{id}/versions/{version}/restore', { params }))
    onShow(made.version)
  }
  return { run, publish, restore }
}

/** A pin creates no version. The list of pins is sent whole, so the ETag protects the pins of other users. */
function usePinItem(
  { file, etag, version: { version: number } }: VersionProps,
  run: (work: () => Promise<unknown>, text: string) => Promise<void>,
): MenuItem {
  const { t, formats } = useTexts()
  const api = useApi()
  const pins = file.pinned_versions ?? []
  const isPinned = pins.includes(number)
  const pin = (): Promise<unknown> => {
    const others = pins.filter((one) => one !== number)
    const params = { path: { id: file.asset_file_id }, header: { 'If-Match': etag } }
    const body = { pinned_versions: isPinned ? others : [...others, number] }
    return dataOf(api.PATCH('/asset_file/{id}', { params, body }))
  }
  const text = isPinned ? t.file.wasUnpinned : t.file.wasPinned
  return {
    text: isPinned ? t.file.unpin : t.file.pin,
    icon: 'pin',
    onChoose: () => void run(pin, fill(text, { version: formats.number(number) })),
  }
}
