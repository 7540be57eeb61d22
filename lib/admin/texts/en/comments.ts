// Texts of comments.

export const comments = {
  title: 'Comments',
  none: 'No comments yet',
  about: 'Only people who can see drafts can see comments. Write @name to mention somebody.',
  write: 'New comment',
  text: 'Comment',
  reply: 'Reply',
  writeReply: 'New reply',
  hint: 'Write @name to mention somebody. Ctrl+Enter sends the comment.',
  send: 'Comment',
  save: 'Save',
  people: 'People to mention',
  resolve: 'Resolve',
  reopen: 'Reopen',
  resolved: 'Resolved',
  edit: 'Edit comment',
  delete: 'Delete comment',
  deleteTitle: 'Delete this comment?',
  deleteText: 'The comment is deleted for everyone. This cannot be undone.',
  deleteThread:
    'The comment and the replies to it are deleted for everyone. This cannot be undone.',
  deleteIt: 'Delete',
  deleted: 'Comment deleted.',
  showResolved: { one: 'Show {count} resolved comment', other: 'Show {count} resolved comments' },
  hideResolved: 'Hide resolved comments',
} as const
