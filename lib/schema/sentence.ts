// Helpers for the text of messages.

/** Adds a full stop, unless the text ends with a punctuation mark. */
export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** 1 folder, 2 folders */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
