// A text whose placeholders are elements: a link, a name in bold.
//
//   <Sentence text={t.audit.did.publish} values={{ who: <b>{name}</b>, what: <Link href={…}>{file}</Link> }} />

import type { ComponentChildren } from 'preact'

export interface SentenceProps {
  readonly text: string
  readonly values: Readonly<Record<string, ComponentChildren>>
}

const PLACE = /\{(\w+)\}/

export function Sentence({ text, values }: SentenceProps) {
  // Every second part is the name of a placeholder.
  const parts = text.split(PLACE)
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : values[part]))}</>
}
