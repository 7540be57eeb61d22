// The links to a file, which work without a key: make, copy, revoke.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { useDangerousAction } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { Person } from '../../ui/person.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FileRecord } from '../content/records.ts'
import { NewLink, targetsFor } from './new-link.tsx'

export interface LinkListProps {
  readonly file: FileRecord
  readonly grants: ReadonlySet<Grant>
  /** The shown version. */
  readonly shown: number
  readonly isOnSite: boolean
  readonly round: number
}

const LENGTH = 30

export function LinkList({ file, grants, shown, isOnSite, round }: LinkListProps) {
  const { t } = useTexts()
  const api = useApi()
  const [length, setLength] = useState(LENGTH)
  const [isMaking, setIsMaking] = useState(false)
  const { asset_file_id: id } = file
  const loaded = useRequest(
    (signal) => {
      const params = { path: { id }, query: { length } }
      return dataOf(api.GET('/asset_file/{id}/link', { signal, params }))
    },
    [id, round, length],
  )
  if (loaded.data === undefined) return <Loading {...loaded} lines={4} />
  const { asset_file_link: links, page } = loaded.data
  const targets = targetsFor(file, grants, { shown, isOnSite })
  const make = targets.length > 0 && (
    <Button icon="send" onPress={() => setIsMaking(true)}>
      {t.file.links.make}
    </Button>
  )
  return (
    <div class="link-list">
      {links.length === 0 ? (
        <EmptyState icon="send" title={t.file.links.none} action={make}>
          {t.file.links.about}
        </EmptyState>
      ) : (
        <>
          <p class="quiet">{t.file.links.about}</p>
          <div>{make}</div>
          <ul>
            {links.map((link) => (
              <FileLink key={link.asset_file_link_id} link={link} onRevoked={loaded.reload} />
            ))}
          </ul>
        </>
      )}
      {page.next !== null && (
        <Button onPress={() => setLength(length + LENGTH)} isBusy={loaded.isLoading}>
          {t.file.links.older}
        </Button>
      )}
      {isMaking && (
        <NewLink
          fileId={id}
          targets={targets}
          onClose={() => setIsMaking(false)}
          onDone={() => {
            setIsMaking(false)
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

export interface LinkRecord {
  readonly asset_file_link_id: number
  readonly asset_file_id: number
  readonly state: 'live' | 'stage' | 'preview' | null
  readonly version: number | null
  readonly note: string | null
  readonly url: string | null
  readonly date_expires: string
  readonly owner: string
  readonly user_id: number
}

interface FileLinkProps {
  readonly link: LinkRecord
  /** The name of the file, where the list has links to several files. */
  readonly name?: string | undefined
  readonly onRevoked: () => void
}

export function FileLink({ link, name, onRevoked }: FileLinkProps) {
  const { t, formats } = useTexts()
  const { state, version, note, url, owner } = link
  const texts = t.file.links
  const target =
    state === null ? fill(t.file.version, { version: formats.number(version ?? 0) }) : texts[state]
  const title = name === undefined ? (note ?? target) : `${name}: ${note ?? target}`
  const revoke = useRevoke(link, onRevoked)
  return (
    <li class="file-link">
      <div class="file-link-head">
        <span>
          <strong>{title}</strong>
          {url === null && <Badge kind="danger">{texts.broken}</Badge>}
        </span>
        <Button
          kind="quiet"
          icon="trash"
          label={`${texts.revoke}: ${title}`}
          onPress={() => void revoke()}
        />
      </div>
      <span class="quiet">
        {note !== null && `${target}, `}
        <Person name={owner} id={link.user_id} />,{' '}
        <Sentence
          text={texts.expires}
          values={{ when: <DateTime date={link.date_expires} isRelative /> }}
        />
      </span>
      {url !== null && <CodeLine text={new URL(url, location.href).href} label={title} />}
    </li>
  )
}

function useRevoke({ asset_file_link_id, asset_file_id: id }: LinkRecord, onRevoked: () => void) {
  const { t } = useTexts()
  const api = useApi()
  const act = useDangerousAction()
  const { revokeTitle: title, revokeText: text, revoke: action, revoked: done } = t.file.links
  const params = { path: { id, link: asset_file_link_id } }
  const run = () => dataOf(api.DELETE('/asset_file/{id}/link/{link}', { params }))
  return () => act({ title, text, action, run, done, after: onRevoked })
}
