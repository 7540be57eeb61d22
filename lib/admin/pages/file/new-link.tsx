// The dialog that makes a link to a file.

import { useEffect } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { paths } from '../../client/interface.d.ts'
import type { Grant } from '../../../shared/grants.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import type { FileRecord } from '../content/records.ts'

/** A state, or the number of a version. */
type Target = 'live' | 'stage' | 'preview' | number

/** The versions that the person may show to others. */
export function targetsFor(
  file: FileRecord,
  grants: ReadonlySet<Grant>,
  { shown, isOnSite }: { readonly shown: number; readonly isOnSite: boolean },
): readonly Target[] {
  const mayStage = (['modify', 'stage', 'publish'] as const).some((grant) => grants.has(grant))
  const numbers = new Set([shown, file.version])
  return [
    ...(file.live_version !== null && grants.has('view') ? (['live'] as const) : []),
    ...(file.staged_version !== null && mayStage ? (['stage'] as const) : []),
    ...(isOnSite && mayStage ? (['preview'] as const) : []),
    ...(grants.has('modify') ? numbers : []),
  ]
}

const LIVES = ['1h', '1d', '7d', '30d', '90d'] as const
/** The server allows links to previews for 30 days. */
const PREVIEW_LIVES = LIVES.slice(0, -1)

type MadeLink =
  paths['/asset_file/{id}/link']['post']['responses'][201]['content']['application/json']

const STATES = ['live', 'stage', 'preview'] as const

interface NewLinkProps {
  readonly fileId: number
  /** The first one is chosen at first. */
  readonly targets: readonly Target[]
  readonly onClose: () => void
  readonly onDone: (made: MadeLink) => void
}

export function NewLink({ fileId: id, targets, onClose, onDone }: NewLinkProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const texts = t.file.links
  const options = targets.map((target) => ({
    value: String(target),
    text:
      typeof target === 'number'
        ? fill(t.file.version, { version: formats.number(target) })
        : texts[target],
  }))
  const [first] = targets
  const isPreview = first === 'preview' && targets.length === 1
  return (
    <Dialog title={isPreview ? t.file.links.sharePreview : texts.make} onClose={onClose}>
      <Form
        name={`new-link-${id}`}
        initial={{ target: String(first), expires_in: '7d', note: '' }}
        submit={texts.makeIt}
        isForgotten
        onSubmit={async ({ target, expires_in, note }, { once }) => {
          const state = STATES.find((each) => each === target)
          const body = {
            ...(state === undefined ? { version: Number(target) } : { state }),
            ...(note.trim() !== '' && { note: note.trim() }),
            expires_in,
          }
          const params = { path: { id }, header: once(body) }
          onDone(await dataOf(api.POST('/asset_file/{id}/link', { params, body })))
        }}
      >
        {isPreview ? (
          <p>{texts.previewAbout}</p>
        ) : (
          <Select name="target" label={texts.target} options={options} />
        )}
        <LifeSelect />
        <TextInput
          name="note"
          label={texts.note}
          hint={texts.noteHint}
          maxLength={255}
          isOptional
        />
      </Form>
    </Dialog>
  )
}

function LifeSelect() {
  const { t } = useTexts()
  const { value: target } = useBound<string>({ name: 'target' }, '')
  const { value: life, change } = useBound<string>({ name: 'expires_in' }, '')
  const texts = t.file.links
  const lives = target === 'preview' ? PREVIEW_LIVES : LIVES
  useEffect(() => {
    if (!lives.some((each) => each === life)) change('30d')
  }, [target])
  return (
    <Select
      name="expires_in"
      label={texts.expiresIn}
      options={lives.map((value) => ({ value, text: texts.lives[value] }))}
    />
  )
}
