// Shows a concurrent schema change of another user, with buttons to accept or ignore it. The typed schema stays in
// either case.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { difference } from './schema-draft.ts'
import type { KeptSchema } from './use-schema-draft.ts'

export interface SchemaClashProps {
  readonly state: KeptSchema
  /** Current schema of the table. */
  readonly base: string
}

export function SchemaClash({ state, base }: SchemaClashProps) {
  const { t } = useTexts()
  const { before, takeIn, keepMine } = state
  if (before === undefined) return null
  const { added, dropped, changed } = difference(before, base)
  return (
    <Notice
      kind="danger"
      title={t.clash.title}
      actions={
        <>
          <Button kind="primary" onPress={takeIn}>
            {t.data.takeIn}
          </Button>
          <Button onPress={keepMine}>{t.data.keepMine}</Button>
        </>
      }
    >
      <ul class="clash">
        {added.map((text) => (
          <li key={text}>
            {t.data.theyAdded} <ins>{text}</ins>
          </li>
        ))}
        {dropped.map((name) => (
          <li key={name}>
            {t.data.theyDropped} <del>{name}</del>
          </li>
        ))}
        {changed.map((each) => (
          <li key={each.now}>
            <del>{each.before}</del> → <ins>{each.now}</ins>
          </li>
        ))}
        {added.length + dropped.length + changed.length === 0 && <li>{t.data.theyReordered}</li>}
      </ul>
      <p>{t.data.clashText}</p>
    </Notice>
  )
}
