// A list of names and values. Without a value (undefined, null or false), the name is left out.
//
//   <Facts facts={[[t.keys.added, <DateTime date={key.date_added} />]]} />

import type { ComponentChildren } from 'preact'

export interface FactsProps {
  readonly facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
  /** The class of the list; a card by default. */
  readonly look?: string
}

export function Facts({ facts, look = 'facts card' }: FactsProps) {
  const shown = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  )
  return (
    <dl class={look}>
      {shown.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
