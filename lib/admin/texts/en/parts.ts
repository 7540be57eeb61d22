// Texts that several pages share.

export const picker = {
  clear: 'Clear',
  nothing: 'Nothing found.',
  everywhere: 'Whole site',
} as const

export const clash = {
  title: 'Somebody else changed this in the meantime',
  text: 'Your input is still here. If you save again, you overwrite the other change.',
} as const
