// One comment, with its actions.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { changeComment, type CommentRecord } from '../../client/comments.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Form } from '../../ui/form.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CommentInput } from './comment-input.tsx'

interface CommentItemProps {
  readonly comment: CommentRecord
  readonly isAdmin: boolean
  readonly known: readonly string[]
  readonly onChange: () => void
}

export function CommentItem({ comment, isAdmin, known, onChange }: CommentItemProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const [isEditing, setIsEditing] = useState(false)
  const { comment_id: id, owner, resolved, text } = comment
  const mayChange = isAdmin || comment.user_id === me?.user.user_id
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
          mayChange={mayChange && !isEditing}
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
    </li>
  )
}

interface CommentActionsProps {
  readonly comment: CommentRecord
  /** Whether the person may edit and delete the comment. */
  readonly mayChange: boolean
  readonly onEdit: () => void
  readonly onChange: () => void
}

function CommentActions({ comment, mayChange, onEdit, onChange }: CommentActionsProps) {
  const { t } = useTexts()
  const { comment_id: id, resolved } = comment
  const { setResolved, remove } = useCommentActions(id, onChange)
  return (
    <span class="comment-actions">
      <Button
        kind="quiet"
        icon={resolved ? 'history' : 'check'}
        label={resolved ? t.comments.reopen : t.comments.resolve}
        onPress={() => void setResolved(!resolved)}
      />
      {mayChange && (
        <>
          <Button kind="quiet" icon="edit" label={t.comments.edit} onPress={onEdit} />
          <Button
            kind="quiet"
            icon="trash"
            label={t.comments.delete}
            onPress={() => void remove()}
          />
        </>
      )}
    </span>
  )
}

function useCommentActions(id: number, onChange: () => void) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const { deleteTitle: title, deleteText: text, deleteIt: action, deleted } = t.comments

  async function setResolved(resolved: boolean): Promise<void> {
    await changeComment(api, id, { resolved }).catch(toast.problem)
    onChange()
  }

  async function remove(): Promise<void> {
    if (!(await confirm({ title, text, action, isDangerous: true }))) return
    try {
      await dataOf(api.DELETE('/comment/{id}', { params: { path: { id } } }))
      toast({ text: deleted })
    } catch (error) {
      toast.problem(error)
    }
    onChange()
  }

  return { setResolved, remove }
}
