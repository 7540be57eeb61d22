// The number of open comments in a list of files or entries; nothing if there are none.

import { useApi } from '../../client/client-context.ts'
import { readOpenComments } from '../../client/comments.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useRequest } from '../../ui/use-request.ts'

export function CommentCount({ count }: { readonly count: number | undefined }) {
  const { t, formats } = useTexts()
  if (count === undefined) return null
  const label = formats.count(t.content.openComments, count)
  return (
    <span class="comment-count" title={label}>
      <Icon name="comment" />
      <span aria-hidden="true">{formats.number(count)}</span>
      <span class="unseen">{label}</span>
    </span>
  )
}

const NONE: ReadonlyMap<string, number> = new Map()

/** The numbers by target, read again for each round. Without them a list is complete, so errors are not shown. */
export function useOpenComments(
  targets: readonly string[],
  round: unknown,
): ReadonlyMap<string, number> {
  const api = useApi()
  const { data } = useRequest(
    async (signal) => (targets.length === 0 ? NONE : readOpenComments(api, targets, signal)),
    [targets.join(), round],
  )
  return data ?? NONE
}
