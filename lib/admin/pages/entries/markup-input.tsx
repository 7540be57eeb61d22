// The input of a column of Markdown or HTML: an editor with a toolbar and a preview, which load when a form has such
// a column. Without them, the text has a plain field.

import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, type Labeled } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { useUploadFolder } from '../content/upload-folder.tsx'
import type { CodeView } from '../editor/code-view.ts'
import { useMarkupTools } from '../editor/markup-tools.tsx'
import type { MarkupLanguage } from '../editor/text-format.ts'
import { TextPreview } from '../editor/text-preview.tsx'
import { CodeField, useCodeParts } from './code-field.tsx'

interface MarkupInputProps extends Labeled {
  readonly name: string
  readonly language: MarkupLanguage
  readonly isReadOnly: boolean
}

export function MarkupInput(props: MarkupInputProps) {
  const { label, language, isReadOnly } = props
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  const parts = useCodeParts(language)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const view = useRef<CodeView>()
  const uploads = useUploadFolder()
  const tools = useMarkupTools({ view, text: { language, line: [] }, isReadOnly, uploads })
  if (parts === 'none') return <TextInput {...props} rows={6} />

  const toggle = (
    <Button
      kind="quiet"
      icon="eye"
      isPressed={isPreviewed}
      onPress={() => setIsPreviewed(!isPreviewed)}
    >
      {t.editor.preview}
    </Button>
  )
  return (
    <div class="text-field">
      <Field {...props} fault={fault}>
        {(field) => (
          <div class="text-editor">
            {tools.toolbar(toggle) ?? <div class="text-bar">{toggle}</div>}
            {parts === undefined ? (
              <Skeleton lines={4} />
            ) : (
              <CodeField
                {...{ label, parts, field, value, change, isReadOnly }}
                keys={tools.keys}
                onFiles={tools.onFiles}
                onView={(made) => (view.current = made)}
              />
            )}
            {isPreviewed && parts !== undefined && (
              <TextPreview text={value} toPage={parts.toPage} />
            )}
          </div>
        )}
      </Field>
      {tools.dialog}
      {uploads.dialog}
    </div>
  )
}
