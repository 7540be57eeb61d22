// How messages are put into words.

/** With a full stop, unless it ends with a mark of its own. */
export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** 1 folder, 2 folders */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
