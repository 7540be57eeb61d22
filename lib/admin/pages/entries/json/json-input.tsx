// The input of a JSON column: as text, in which a fault is marked at its place, or as a tree. The form holds the text.

import { useState } from 'preact/hooks'
import { readStored, writeStored } from '../../../client/stored.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, type Labeled } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { useBound } from '../../../ui/use-form.ts'
import { CodeField, useCodeParts } from '../code-field.tsx'
import { readTree } from './json-tree.ts'
import { JsonTreeView } from './json-tree-view.tsx'

interface JsonInputProps extends Labeled {
  readonly name: string
  readonly isReadOnly: boolean
}

/** Whether the tree is shown, as stored in this browser. */
const TREE = 'cms.json-tree'

export function JsonInput(props: JsonInputProps) {
  const { label, isReadOnly } = props
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  const [isTree, setIsTree] = useState(readStored(TREE) === 'yes')
  const parts = useCodeParts('json')
  if (parts === 'none') return <TextInput {...props} rows={6} />
  // The tree of an empty text begins with no value.
  const text = value.trim() === '' ? 'null' : value
  const root = readTree(text)
  return (
    <div class="text-field">
      <Field {...props} fault={fault}>
        {(field) => (
          <div class="text-editor">
            <div class="text-bar">
              <Button
                kind="quiet"
                icon="list"
                isPressed={isTree && root !== undefined}
                isDisabled={root === undefined}
                onPress={() => {
                  writeStored(TREE, isTree ? undefined : 'yes')
                  setIsTree(!isTree)
                }}
              >
                {t.entries.json.tree}
              </Button>
            </div>
            {isTree && root !== undefined ? (
              <JsonTreeView {...{ label, text, root, isReadOnly }} onChange={change} />
            ) : parts === undefined ? (
              <Skeleton lines={4} />
            ) : (
              <CodeField {...{ label, parts, field, value, change, isReadOnly }} />
            )}
          </div>
        )}
      </Field>
    </div>
  )
}
