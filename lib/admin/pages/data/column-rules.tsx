// The rules of one column: MIN and MAX, LENGTH and MATCH, or the expression of a computed column.

import { useTexts } from '../../texts/use-texts.ts'
import { CheckedInput } from './column-default.tsx'
import type { SchemaColumn } from './schema-columns.ts'
import { setComputed } from './schema-edit.ts'
import { referenceOf } from './schema-references.ts'
import { isArgument, rulesOf, setRule } from './schema-rules.ts'

interface ColumnRulesProps {
  readonly column: SchemaColumn
  readonly text: string
  readonly onChange: (text: string) => void
}

export function ColumnRules({ column, text, onChange }: ColumnRulesProps) {
  const { t } = useTexts()
  if (referenceOf(column) !== undefined) return null
  const argumentOf = (rule: 'MIN' | 'MAX' | 'LENGTH' | 'MATCH' | 'COMPUTED'): string =>
    column.parts.rules.get(rule)?.[1].text ?? ''
  return (
    <>
      {rulesOf(column.code).map((rule) => (
        <CheckedInput
          key={rule}
          name={`rule_${rule}`}
          label={t.data.rules[rule]}
          hint={t.data.ruleTexts[rule]}
          value={argumentOf(rule)}
          check={(value) => (isArgument(rule, value.trim()) ? undefined : t.data.ruleTexts[rule])}
          onChange={(value) => onChange(setRule(text, column, { rule, value: value.trim() }))}
        />
      ))}
      {!column.isAuto && (
        <CheckedInput
          name="rule_COMPUTED"
          label={t.data.rules.COMPUTED}
          hint={t.data.ruleTexts.COMPUTED}
          value={argumentOf('COMPUTED')}
          check={() => undefined}
          onChange={(value) => onChange(setComputed(text, column, value.trim()))}
        />
      )}
    </>
  )
}
