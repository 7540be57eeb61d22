// What parts of several pages say.

export const picker = {
  clear: 'Choose none',
  nothing: 'Nothing is called that.',
  everywhere: 'Everywhere',
} as const

export const clash = {
  title: 'Somebody else has changed it meanwhile',
  text: 'What was typed here is still there. Saving again puts it in place of theirs.',
} as const
