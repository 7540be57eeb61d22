// Changes as sentences, with their times.

import { useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Person } from '../../ui/person.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { type ChangeLine, type FoundChanges, keyOf } from './joined-changes.ts'
import { Subject } from './subject.tsx'

export function ChangeList({ lines, names }: Pick<FoundChanges, 'lines' | 'names'>) {
  const { t } = useTexts()
  const texts: Readonly<Record<string, string>> = t.audit.did
  return (
    <ul class="line-list card">
      {lines.map(({ change, ids }) => (
        <li key={keyOf(change)}>
          <p class="line-sentence">
            <Sentence
              text={texts[wordOf(change)] ?? t.audit.did.update}
              values={{
                who: (
                  <strong>
                    {change.user_name === null ? (
                      t.audit.commandLine
                    ) : (
                      <Person name={change.user_name} />
                    )}
                  </strong>
                ),
                what: <Subject record={{ ...change, count: ids.size }} names={names} />,
              }}
            />
          </p>
          <span class="quiet">
            <DateTime date={change.date_added} isRelative />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A save that published or staged the file is described by this result. */
function wordOf({ action, fileState }: ChangeLine['change']): string {
  return action === 'update' && fileState !== null ? fileState : action
}
