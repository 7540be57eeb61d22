// The links that a user has made: to files and previews, to calendars, and for other users. Each can be revoked, and all of
// them together.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { findNames, type Names } from '../../client/record-names.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useDangerousAction } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Section } from '../../ui/page.tsx'
import { Person } from '../../ui/person.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { FileLink, type LinkRecord } from '../file/link-list.tsx'

const LENGTH = 20
/** The names of the keys of secret calendar addresses: see pages/calendar/secret-feeds.tsx. */
const FEED = 'feed of calendar '

interface UserLinkRecord {
  readonly user_id: number
  readonly name: string
  readonly date_expires: string
}

interface FeedKey {
  readonly api_key_id: number
  readonly name: string
  readonly date_added: string
}

interface Links {
  readonly files: readonly LinkRecord[]
  readonly names: Names
  readonly users: readonly UserLinkRecord[]
  readonly feeds: readonly FeedKey[]
  readonly hasMore: boolean
}

interface SharedLinksProps {
  readonly userId: number
  readonly title: string
  readonly about: string
}

export function SharedLinks({ userId, title, about }: SharedLinksProps) {
  const { t } = useTexts()
  const api = useApi()
  const [length, setLength] = useState(LENGTH)
  const { data, error, isLoading, reload } = useRequest(
    (signal) => readLinks(api, { userId, length }, signal),
    [userId, length],
  )
  const revokeAll = useRevokeAll(userId, reload)
  const isEmpty = data !== undefined && countOf(data) === 0
  return (
    <Section title={title}>
      <p class="quiet">{about}</p>
      <Loading data={data} error={error} reload={reload} lines={2} />
      {isEmpty && <p>{t.profile.links.none}</p>}
      {data !== undefined && !isEmpty && (
        <div class="link-list">
          <ul class="card shared-links">
            <LinkItems links={data} reload={reload} />
          </ul>
          <div class="shared-links-actions">
            {data.hasMore && (
              <Button onPress={() => setLength(length + LENGTH)} isBusy={isLoading}>
                {t.file.links.older}
              </Button>
            )}
            <Button icon="trash" onPress={() => void revokeAll(data.feeds)}>
              {t.profile.links.revokeAll}
            </Button>
          </div>
        </div>
      )}
    </Section>
  )
}

interface LinkItemsProps {
  readonly links: Links
  readonly reload: () => void
}

function LinkItems({ links: { files, names, users, feeds }, reload }: LinkItemsProps) {
  const { t } = useTexts()
  const api = useApi()
  const end = useEnd(reload)
  return (
    <>
      {files.map((link) => (
        <FileLink
          key={`file-${link.asset_file_link_id}`}
          link={link}
          name={names.get(`asset_file/${link.asset_file_id}`)}
          onRevoked={reload}
        />
      ))}
      {feeds.map((key) => (
        <OtherLink
          key={`feed-${key.api_key_id}`}
          title={fill(t.profile.links.feed, {
            name: names.get(`calendar/${calendarOf(key)}`) ?? `#${calendarOf(key)}`,
          })}
          onRevoke={() => void end(() => dataOf(api.DELETE('/api_key/{id}', idOf(key.api_key_id))))}
        >
          <Sentence
            text={t.profile.links.made}
            values={{ when: <DateTime date={key.date_added} isRelative /> }}
          />
        </OtherLink>
      ))}
      {users.map((link) => (
        <OtherLink
          key={`user-${link.user_id}`}
          title={
            <Sentence
              text={t.profile.links.ofUser}
              values={{ name: <Person name={link.name} id={link.user_id} /> }}
            />
          }
          onRevoke={() => void end(() => dataOf(api.DELETE('/user/{id}/link', idOf(link.user_id))))}
        >
          <Sentence
            text={t.file.links.expires}
            values={{ when: <DateTime date={link.date_expires} isRelative /> }}
          />
        </OtherLink>
      ))}
    </>
  )
}

function countOf({ files, users, feeds }: Links): number {
  return files.length + users.length + feeds.length
}

function calendarOf({ name }: FeedKey): number {
  return Number(name.slice(FEED.length))
}

function idOf(id: number) {
  return { params: { path: { id } } } as const
}

interface Asked {
  readonly userId: number
  readonly length: number
}

async function readLinks(
  api: Api,
  { userId: id, length }: Asked,
  signal: AbortSignal,
): Promise<Links> {
  const path = { id }
  const qry = JSON.stringify({ user_id: id, name: { $startsWith: FEED } })
  const [files, users, keys] = await Promise.all([
    dataOf(api.GET('/user/{id}/shared_link', { signal, params: { path, query: { length } } })),
    dataOf(
      api.GET('/user/{id}/shared_link', {
        signal,
        params: { path, query: { kind: 'user_link', length } },
      }),
    ),
    dataOf(api.GET('/api_key', { signal, params: { query: { qry, length } } })),
  ])
  // Without `fields`, the response has all fields.
  const feeds = keys.api_key as readonly FeedKey[]
  const links = files.shared_link as readonly LinkRecord[]
  const named = [
    ...links.map((link) => ({ object: 'asset_file', object_id: link.asset_file_id })),
    ...feeds.map((key) => ({ object: 'calendar', object_id: calendarOf(key) })),
  ]
  return {
    files: links,
    users: users.shared_link as readonly UserLinkRecord[],
    feeds,
    names: await findNames(api, named, signal),
    hasMore: [files, users, keys].some(({ page }) => page.next !== null),
  }
}

interface OtherLinkProps {
  readonly title: ComponentChildren
  readonly onRevoke: () => void
  readonly children: ComponentChildren
}

function OtherLink({ title, onRevoke, children }: OtherLinkProps) {
  const { t } = useTexts()
  const label = typeof title === 'string' ? `${t.file.links.revoke}: ${title}` : t.file.links.revoke
  return (
    <li class="file-link">
      <div class="file-link-head">
        <strong>{title}</strong>
        <Button kind="quiet" icon="trash" label={label} onPress={onRevoke} />
      </div>
      <span class="quiet">{children}</span>
    </li>
  )
}

/** Ends one link after a confirmation. */
function useEnd(reload: () => void) {
  const { t } = useTexts()
  const act = useDangerousAction()
  const { revokeTitle: title, revokeText: text, revoke: action, revoked: done } = t.file.links
  return (run: () => Promise<unknown>) => act({ title, text, action, run, done, after: reload })
}

function useRevokeAll(userId: number, reload: () => void) {
  const { t } = useTexts()
  const api = useApi()
  const act = useDangerousAction()
  const texts = t.profile.links
  return (feeds: readonly FeedKey[]): Promise<void> =>
    act({
      title: texts.revokeAllTitle,
      text: texts.revokeAllText,
      action: texts.revokeAll,
      async run() {
        await dataOf(api.DELETE('/user/{id}/shared_link', idOf(userId)))
        for (const key of feeds) await dataOf(api.DELETE('/api_key/{id}', idOf(key.api_key_id)))
      },
      done: texts.allRevoked,
      after: reload,
    })
}
