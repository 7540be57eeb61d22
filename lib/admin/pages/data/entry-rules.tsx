// The rules of whole entries as a list: conditions on several columns, and columns that are unique together.

import { useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CheckedInput } from './column-default.tsx'
import {
  addEntryRule,
  columnsIn,
  dropEntryRule,
  ENTRY_RULES,
  type EntryRuleWord,
  isInside,
  readEntryRules,
  setEntryRule,
} from './schema-entry-rules.ts'

interface EntryRulesProps {
  readonly text: string
  /** The names of the columns. */
  readonly names: readonly string[]
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
}

export function EntryRules({ text, names, isReadOnly, onChange }: EntryRulesProps) {
  const { t } = useTexts()
  const words = t.data.entryRules
  const rules = readEntryRules(text)
  /** A rule without a text is not in the schema yet. */
  const [added, setAdded] = useState<EntryRuleWord>()
  const rows = [...rules, ...(added === undefined ? [] : [{ word: added, argument: '' }])]
  if (isReadOnly && rows.length === 0) return null

  function set(at: number, word: EntryRuleWord, argument: string): void {
    const rule = rules[at]
    if (rule === undefined) setAdded(undefined)
    onChange(
      rule === undefined ? addEntryRule(text, word, argument) : setEntryRule(text, rule, argument),
    )
  }

  function remove(at: number): void {
    const rule = rules[at]
    if (rule === undefined) setAdded(undefined)
    else onChange(dropEntryRule(text, rule))
  }

  return (
    <section class="entry-rules" aria-label={words.title}>
      <h2>{words.title}</h2>
      {rows.map(({ word, argument }, at) => (
        <RuleRow
          // oxlint-disable-next-line react/no-array-index-key -- an added rule keeps its field when it gets its text
          key={at}
          name={`entry_rule_${at}`}
          word={word}
          argument={argument}
          names={names}
          isReadOnly={isReadOnly}
          onChange={(next) => set(at, word, next)}
          onRemove={() => remove(at)}
        />
      ))}
      {!isReadOnly && (
        <div class="entry-rules-add">
          {ENTRY_RULES.map((word) => (
            <Button
              key={word}
              kind="quiet"
              icon="plus"
              isDisabled={added !== undefined}
              onPress={() => setAdded(word)}
            >
              {words.add[word]}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}

interface RuleRowProps extends Omit<EntryRulesProps, 'text'> {
  readonly name: string
  readonly word: EntryRuleWord
  readonly argument: string
  readonly onRemove: () => void
}

function RuleRow({ name, word, argument, names, isReadOnly, onChange, onRemove }: RuleRowProps) {
  const { t } = useTexts()
  const words = t.data.entryRules

  function check(typed: string): string | undefined {
    const next = typed.trim()
    if (next === '') return t.form.required
    if (!isInside(word, next)) return words.faults.CHECK
    const isKnown = word === 'CHECK' || columnsIn(next, names) !== undefined
    return isKnown ? undefined : words.faults.UNIQUE
  }

  return (
    <div class="entry-rule">
      <CheckedInput
        name={name}
        label={words.labels[word]}
        hint={words.hints[word]}
        value={argument}
        isFocused={argument === ''}
        isReadOnly={isReadOnly}
        check={check}
        onChange={(typed) => onChange(typed.trim())}
      />
      {!isReadOnly && (
        <Button
          kind="quiet"
          icon="trash"
          label={fill(words.remove, { rule: `${word}(${argument})` })}
          onPress={onRemove}
        />
      )}
    </div>
  )
}
