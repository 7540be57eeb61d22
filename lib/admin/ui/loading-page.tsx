// A page whose record is loading or could not be read.
//
//   if (found.data === undefined) return <LoadingPage title={t.titles.key} intro={up} found={found} />

import type { ComponentChildren } from 'preact'
import { ProblemNotice } from './notice.tsx'
import { Page } from './page.tsx'
import { Skeleton } from './skeleton.tsx'
import type { Requested } from './use-request.ts'

export interface LoadingPageProps {
  readonly title: string
  readonly intro?: ComponentChildren
  readonly found: Pick<Requested<unknown>, 'error' | 'reload'>
}

export function LoadingPage({ title, intro, found }: LoadingPageProps) {
  const { error, reload } = found
  return (
    <Page title={title} intro={intro}>
      {error === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <ProblemNotice error={error} onRetry={reload} />
      )}
    </Page>
  )
}
