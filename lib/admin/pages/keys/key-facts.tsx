// The read-only facts and the status of a key.

import type { ComponentChildren } from 'preact'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { isEndedByClock, type ShownKey } from './key.ts'
import { Expires, grantsText, KeyBadge, LastUsed } from './key-columns.tsx'

export function KeyFacts({ shown, base }: { readonly shown: ShownKey; readonly base: string }) {
  const { t } = useTexts()
  const { record: key, users, folders, maker } = shown
  const { user_id: user, asset_category_id: folder, made_by: made } = key
  return (
    <dl class="facts card">
      <Fact name={t.keys.state}>
        <KeyBadge of={key} />
        {isEndedByClock(key) && <span class="quiet"> {t.keys.endedByClock}</span>}
      </Fact>
      <Fact name={t.keys.user}>
        <bdi>{users.get(user ?? 0) ?? `#${user}`}</bdi>
      </Fact>
      <Fact name={t.keys.grants}>{grantsText(key.grants, t)}</Fact>
      <Fact name={t.keys.folder}>
        {folder === null ? t.picker.everywhere : <bdi>{folders.get(folder) ?? `#${folder}`}</bdi>}
      </Fact>
      <Fact name={t.keys.expires}>
        <Expires of={key} />
      </Fact>
      <Fact name={t.keys.lastUsed}>
        <LastUsed date={key.last_used} />
      </Fact>
      <Fact name={t.keys.hint}>
        <code>{key.hint}</code>
      </Fact>
      <Fact name={t.keys.added}>
        <DateTime date={key.date_added} />
      </Fact>
      <Fact name={t.keys.madeBy}>
        <bdi>{key.owner}</bdi>
        {maker !== undefined && (
          <>
            {' · '}
            <Link href={pathOf(`${base}/${made}`)}>
              <bdi>{maker}</bdi>
            </Link>
          </>
        )}
      </Fact>
    </dl>
  )
}

/** One row of a description list. */
export function Fact({
  name,
  children,
}: {
  readonly name: string
  readonly children: ComponentChildren
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
