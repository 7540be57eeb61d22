// The text of the mail about a mention.

export interface MentionFacts {
  readonly author: string
  /** The user who is mentioned. */
  readonly name: string
  /** The path of the file, or the name of the module. */
  readonly place: string
  /** Undefined for a file. */
  readonly entryId: number | undefined
  readonly text: string
  /** Undefined if the public address of the server is unknown. */
  readonly link: string | undefined
}

interface Words {
  readonly subject: (author: string, target: string) => string
  readonly entry: (id: number, place: string) => string
  readonly first: (author: string, target: string) => string
  readonly last: (name: string) => string
}

const WORDS: Readonly<Record<'en' | 'de', Words>> = {
  en: {
    subject: (author, target) => `${author} mentioned you: ${target}`,
    entry: (id, place) => `entry ${id} of ${place}`,
    first: (author, target) => `${author} mentioned you in a comment on ${target}:`,
    last: (name) => `You receive this mail because the comment mentions you as "${name}".`,
  },
  de: {
    subject: (author, target) => `${author} hat Sie erwähnt: ${target}`,
    entry: (id, place) => `Eintrag ${id} von ${place}`,
    first: (author, target) => `${author} hat Sie in einem Kommentar zu ${target} erwähnt:`,
    last: (name) => `Sie erhalten diese E-Mail, weil der Kommentar Sie als „${name}“ erwähnt.`,
  },
}

const MAX_SUBJECT = 200

export function mentionText(
  { author, name, place, entryId, text, link }: MentionFacts,
  language: 'en' | 'de',
): { readonly subject: string; readonly text: string } {
  const words = WORDS[language]
  const target = entryId === undefined ? place : words.entry(entryId, place)
  const quoted = text.split(/\r?\n/).map((line) => `> ${line}`)
  const parts = [words.first(author, target), quoted.join('\n'), link, words.last(name)]
  return {
    subject: words.subject(author, target).slice(0, MAX_SUBJECT),
    text: `${parts.filter((part) => part !== undefined).join('\n\n')}\n`,
  }
}
