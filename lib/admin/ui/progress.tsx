// A progress bar; without a ratio, it is indeterminate.
//
//   <Progress label={file.name} ratio={sent / size} />

import { useTexts } from '../texts/use-texts.ts'

export interface ProgressProps {
  readonly label: string
  /** Between 0 and 1. */
  readonly ratio?: number
}

export function Progress({ label, ratio }: ProgressProps) {
  const { formats } = useTexts()
  return (
    <div class="progress">
      <progress aria-label={label} max={1} value={ratio} />
      {ratio !== undefined && <span>{formats.percent(ratio)}</span>}
    </div>
  )
}
