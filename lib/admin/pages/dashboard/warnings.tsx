// What /ready tells, with what to do. The words of the server are there for what this page does not know yet.

import { useTexts } from '../../texts/use-texts.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Readiness } from './use-figures.ts'

interface Told {
  readonly title: string
  readonly text: string
}

export function Warnings({ readiness }: { readonly readiness: Readiness | undefined }) {
  const { t } = useTexts()
  const { warnings, trouble } = readiness ?? { warnings: [], trouble: undefined }
  const known: Readonly<Record<string, Told>> = t.dashboard.known
  return (
    <>
      {trouble !== undefined && (
        <Notice kind="danger" title={known[trouble.reason]?.title ?? t.dashboard.notReady}>
          {known[trouble.reason]?.text ?? trouble.detail}
        </Notice>
      )}
      {warnings.map(({ code, detail }) => (
        <Notice key={code} kind="info" title={known[code]?.title ?? t.dashboard.warning}>
          {known[code]?.text ?? detail}
        </Notice>
      ))}
    </>
  )
}
