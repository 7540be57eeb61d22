// The comments on a file or an entry, by threads: read, write, reply, edit, resolve, delete.

import { useId, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { readComments } from '../../client/comments.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { CommentItem } from './comment-item.tsx'
import { NewComment } from './new-comment.tsx'

interface CommentListProps {
  /** `asset_file/5`, `datatable/3/7` or `calendar/3/7`. */
  readonly target: string
  /** The user may edit and delete the comments of others. */
  readonly isAdmin: boolean
}

/** The comments on an entry, with a heading. */
export function CommentSection(props: CommentListProps) {
  const { t } = useTexts()
  const id = useId()
  return (
    <section class="entry-comments" aria-labelledby={id}>
      <h2 id={id}>{t.comments.title}</h2>
      <CommentList {...props} />
    </section>
  )
}

export function CommentList({ target, isAdmin }: CommentListProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const loaded = useRequest((signal) => readComments(api, target, signal), [target])
  const [isAll, setIsAll] = useState(false)
  if (loaded.data === undefined) return <Loading {...loaded} lines={3} />
  const { data: all, reload } = loaded
  const threads = all.filter((each) => each.reply_to === null)
  const resolved = threads.filter((each) => each.resolved)
  const shown = isAll ? threads : threads.filter((each) => !each.resolved)
  const known = [...new Set(all.map(({ owner }) => owner))]
  return (
    <div class="comments">
      {all.length === 0 && <p class="quiet">{`${t.comments.none}. ${t.comments.about}`}</p>}
      {resolved.length > 0 && (
        <div>
          <Button
            kind="quiet"
            icon={isAll ? 'chevronUp' : 'chevronDown'}
            isExpanded={isAll}
            onPress={() => setIsAll(!isAll)}
          >
            {isAll
              ? t.comments.hideResolved
              : formats.count(t.comments.showResolved, resolved.length)}
          </Button>
        </div>
      )}
      {shown.length > 0 && (
        <ol class="comments-list">
          {shown.map((each) => (
            <CommentItem
              key={each.comment_id}
              comment={each}
              replies={all.filter(({ reply_to: first }) => first === each.comment_id)}
              isAdmin={isAdmin}
              known={known}
              onChange={reload}
            />
          ))}
        </ol>
      )}
      <NewComment target={target} known={known} onDone={reload} onCancel={null} />
    </div>
  )
}
