// The form of a new comment or reply.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Form } from '../../ui/form.tsx'
import { CommentInput } from './comment-input.tsx'

interface NewCommentProps {
  readonly target: string
  /** The first comment of the thread that the new one belongs to. */
  readonly replyTo?: number
  readonly known: readonly string[]
  readonly onDone: () => void
  /** Null without a Cancel button. */
  readonly onCancel: (() => void) | null
}

export function NewComment({ target, replyTo, known, onDone, onCancel }: NewCommentProps) {
  const { t } = useTexts()
  const api = useApi()
  const isReply = replyTo !== undefined
  /** A new form is empty. */
  const [round, setRound] = useState(0)
  return (
    <Form
      key={round}
      name={`comment-${target}${isReply ? `-${replyTo}` : ''}`}
      initial={{ text: '' }}
      submit={isReply ? t.comments.reply : t.comments.send}
      onCancel={onCancel}
      onSubmit={async ({ text }, { once }) => {
        const body = { target, text, ...(isReply && { reply_to: replyTo }) }
        await dataOf(api.POST('/comment', { params: { header: once(body) }, body }))
        // The form forgets its stored text after this function; a form that starts earlier would restore the text.
        setTimeout(() => {
          setRound(round + 1)
          onDone()
        })
      }}
    >
      <CommentInput
        label={isReply ? t.comments.writeReply : t.comments.write}
        hint={t.comments.hint}
        known={known}
        isFocused={isReply || round > 0}
      />
    </Form>
  )
}
