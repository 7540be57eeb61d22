// Helpers for the text of messages.

/** Adds a full stop, unless the text ends with a punctuation mark. */
export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** 1 folder, 2 folders; 1 entry, 2 entries */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun.replace(/(?<![aeiou])y$/, 'ie')}s`
}
