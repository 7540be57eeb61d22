// One comment with its actions, and the replies to it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { changeComment, type CommentRecord } from '../../client/comments.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useDangerousAction } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Form } from '../../ui/form.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CommentInput } from './comment-input.tsx'
import { NewComment } from './new-comment.tsx'

interface CommentItemProps {
  readonly comment: CommentRecord
  /** Undefined for a reply. */
  readonly replies?: readonly CommentRecord[]
  readonly isAdmin: boolean
  readonly known: readonly string[]
  readonly onChange: () => void
}

export function CommentItem({ comment, replies, ...shared }: CommentItemProps) {
  const { isAdmin, known, onChange } = shared
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const [isEditing, setIsEditing] = useState(false)
  const { comment_id: id, target, owner, resolved, text } = comment
  const isOwn = (each: CommentRecord): boolean => isAdmin || each.user_id === me?.user.user_id
  return (
    <li class="comment" id={`comment-${id}`}>
      <div class="comment-head">
        <strong>
          <Person name={owner} id={comment.user_id} />
        </strong>
        <span class="quiet">
          <DateTime date={comment.date_added} isRelative />
        </span>
        {resolved && <Badge kind="live">{t.comments.resolved}</Badge>}
        <CommentActions
          comment={comment}
          replies={replies}
          mayEdit={isOwn(comment) && !isEditing}
          mayDelete={[comment, ...(replies ?? [])].every(isOwn) && !isEditing}
          onEdit={() => setIsEditing(true)}
          onChange={onChange}
        />
      </div>
      {isEditing ? (
        <Form
          name={`comment-${id}`}
          initial={{ text }}
          submit={t.comments.save}
          onCancel={() => setIsEditing(false)}
          onSubmit={async (values) => {
            await changeComment(api, id, values)
            setIsEditing(false)
            onChange()
          }}
        >
          <CommentInput label={t.comments.text} known={known} isFocused />
        </Form>
      ) : (
        <p class="comment-text" dir="auto">
          {text}
        </p>
      )}
      {replies !== undefined && replies.length > 0 && (
        <ol class="comments-list comment-replies">
          {replies.map((each) => (
            <CommentItem key={each.comment_id} comment={each} {...shared} />
          ))}
        </ol>
      )}
      {replies !== undefined && !resolved && (
        <Reply target={target} replyTo={id} known={known} onDone={onChange} />
      )}
    </li>
  )
}

interface ReplyProps {
  readonly target: string
  readonly replyTo: number
  readonly known: readonly string[]
  readonly onDone: () => void
}

/** A button that opens the form of a reply, and has the focus after the form closes. */
function Reply({ onDone, ...props }: ReplyProps) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState<boolean>()
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen === false) line.current?.querySelector('button')?.focus()
  }, [isOpen])
  if (isOpen === true) {
    return (
      <NewComment
        {...props}
        onCancel={() => setIsOpen(false)}
        onDone={() => {
          setIsOpen(false)
          onDone()
        }}
      />
    )
  }
  return (
    <div class="comment-reply" ref={line}>
      <Button kind="quiet" icon="reply" onPress={() => setIsOpen(true)}>
        {t.comments.reply}
      </Button>
    </div>
  )
}

interface CommentActionsProps {
  readonly comment: CommentRecord
  /** Undefined for a reply, which is resolved with its thread. */
  readonly replies: readonly CommentRecord[] | undefined
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  readonly onEdit: () => void
  readonly onChange: () => void
}

function CommentActions({ comment, replies, ...props }: CommentActionsProps) {
  const { mayEdit, mayDelete, onEdit, onChange } = props
  const { t } = useTexts()
  const { comment_id: id, resolved } = comment
  const hasReplies = replies !== undefined && replies.length > 0
  const { setResolved, remove } = useCommentActions({ id, hasReplies, onChange })
  return (
    <span class="comment-actions">
      {replies !== undefined && (
        <Button
          kind="quiet"
          icon={resolved ? 'history' : 'check'}
          label={resolved ? t.comments.reopen : t.comments.resolve}
          onPress={() => void setResolved(!resolved)}
        />
      )}
      {mayEdit && <Button kind="quiet" icon="edit" label={t.comments.edit} onPress={onEdit} />}
      {mayDelete && (
        <Button kind="quiet" icon="trash" label={t.comments.delete} onPress={() => void remove()} />
      )}
    </span>
  )
}

interface Acting {
  readonly id: number
  readonly hasReplies: boolean
  readonly onChange: () => void
}

function useCommentActions({ id, hasReplies, onChange }: Acting) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const act = useDangerousAction()
  const { deleteTitle: title, deleteText, deleteThread, deleteIt: action, deleted } = t.comments
  const text = hasReplies ? deleteThread : deleteText

  async function setResolved(resolved: boolean): Promise<void> {
    await changeComment(api, id, { resolved }).catch(toast.problem)
    onChange()
  }

  function remove(): Promise<void> {
    const run = () => dataOf(api.DELETE('/comment/{id}', { params: { path: { id } } }))
    return act({ title, text, action, run, done: deleted, after: onChange })
  }

  return { setResolved, remove }
}
