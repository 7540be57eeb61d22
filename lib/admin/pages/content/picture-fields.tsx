// The fields of a picture in a form: its alternative text, and the point that crops keep. The point is set by a click on the
// picture or with two sliders.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound, useForm } from '../../ui/use-form.ts'
import type { FileRecord } from './records.ts'
import { useImage } from './thumbnail.tsx'

/** The width of the dialog on a dense screen. */
const SIDE = 960
const CENTER = '0.5,0.5'

export function PictureFields({ file }: { readonly file: FileRecord }) {
  return (
    <>
      <AltFields />
      <FocusInput file={file} />
    </>
  )
}

/** The alternative text of a picture, or that the picture only decorates. */
export function AltFields({ isFocused = false }: { readonly isFocused?: boolean }) {
  const { t } = useTexts()
  const { values } = useForm()
  return (
    <>
      {values['isDecorative'] !== true && (
        <TextInput
          name="alt_text"
          label={t.content.altText}
          hint={t.content.altTextHint}
          rows={2}
          isFocused={isFocused}
        />
      )}
      <Checkbox name="isDecorative" label={t.content.decorative} hint={t.content.decorativeHint} />
    </>
  )
}

function FocusInput({ file }: { readonly file: FileRecord }) {
  const { t } = useTexts()
  const { address, drop } = useImage({ file, version: file.version, mayRead: true, side: SIDE })
  const { value, fault, change } = useBound<string>({ name: 'focus' }, '')
  const [x = 0.5, y = 0.5] = (value === '' ? CENTER : value).split(',').map(Number)
  const set = (across: number, down: number): void => change(`${near(across)},${near(down)}`)

  return (
    <fieldset class="focus-input">
      <legend class="field-label">{t.content.focus}</legend>
      {file.width !== null && <p class="field-hint">{fill(t.content.pixelsOf, sizeOf(file))}</p>}
      {address !== undefined && (
        <div
          class="focus-picture"
          onClick={({ currentTarget, clientX, clientY }) => {
            const { left, top, width, height } = currentTarget.getBoundingClientRect()
            set((clientX - left) / width, (clientY - top) / height)
          }}
        >
          <img src={address} alt="" onError={drop} />
          <span class="focus-point" style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
        </div>
      )}
      <Slider label={t.content.focusAcross} value={x} onChange={(next) => set(next, y)} />
      <Slider label={t.content.focusDown} value={y} onChange={(next) => set(x, next)} />
      {fault !== undefined && <p class="field-fault">{fault}</p>}
      <p class="field-hint">{t.content.focusHint}</p>
      {value !== '' && <Button onPress={() => change('')}>{t.content.focusCenter}</Button>}
    </fieldset>
  )
}

function sizeOf({ width, height }: FileRecord) {
  return { width: String(width), height: String(height) }
}

function near(part: number): number {
  return Math.round(Math.min(1, Math.max(0, part)) * 100) / 100
}

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function Slider({ label, value, onChange }: SliderProps) {
  return (
    <label class="focus-slider">
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
      />
    </label>
  )
}
