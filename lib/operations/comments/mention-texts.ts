// The texts of the mails about a mention and about a reply.

export interface MentionFacts {
  readonly author: string
  /** The user who is mentioned. */
  readonly name: string
  /** The path of the file, or the name of the module. */
  readonly place: string
  /** Undefined for a file. */
  readonly entryId: number | undefined
  readonly text: string
  /** The user wrote in the thread before, and is not mentioned. */
  readonly isReply: boolean
  /** Undefined if the public address of the server is unknown. */
  readonly link: string | undefined
}

interface Words {
  readonly entry: (id: number, place: string) => string
  readonly mention: Message
  readonly reply: Message
}

interface Message {
  readonly subject: (author: string, target: string) => string
  readonly first: (author: string, target: string) => string
  readonly last: (name: string) => string
}

const WORDS: Readonly<Record<'en' | 'de', Words>> = {
  en: {
    entry: (id, place) => `entry ${id} in ${place}`,
    mention: {
      subject: (author, target) => `${author} mentioned you: ${target}`,
      first: (author, target) => `${author} mentioned you in a comment on ${target}:`,
      last: (name) => `You received this email because the comment mentions you as "${name}".`,
    },
    reply: {
      subject: (author, target) => `${author} replied: ${target}`,
      first: (author, target) =>
        `${author} replied in a comment thread on ${target} that you are part of:`,
      last: () => 'You received this email because you wrote a comment in this thread.',
    },
  },
  de: {
    entry: (id, place) => `Eintrag ${id} in ${place}`,
    mention: {
      subject: (author, target) => `${author} hat Sie erwähnt: ${target}`,
      first: (author, target) => `${author} hat Sie in einem Kommentar zu ${target} erwähnt:`,
      last: (name) => `Sie erhalten diese E-Mail, weil der Kommentar Sie als „${name}“ erwähnt.`,
    },
    reply: {
      subject: (author, target) => `${author} hat geantwortet: ${target}`,
      first: (author, target) =>
        `${author} hat in einer Unterhaltung zu ${target} geantwortet, an der Sie beteiligt sind:`,
      last: () =>
        'Sie erhalten diese E-Mail, weil Sie in dieser Unterhaltung einen Kommentar geschrieben haben.',
    },
  },
}

const MAX_SUBJECT = 200

export function mentionText(
  { author, name, place, entryId, text, link, isReply }: MentionFacts,
  language: 'en' | 'de',
): { readonly subject: string; readonly text: string } {
  const words = WORDS[language]
  const message = isReply ? words.reply : words.mention
  const target = entryId === undefined ? place : words.entry(entryId, place)
  const quoted = text.split(/\r?\n/).map((line) => `> ${line}`)
  const parts = [message.first(author, target), quoted.join('\n'), link, message.last(name)]
  return {
    subject: message.subject(author, target).slice(0, MAX_SUBJECT),
    text: `${parts.filter((part) => part !== undefined).join('\n\n')}\n`,
  }
}
