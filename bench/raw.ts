// Common code of the limits without a server: repeats one piece of work with a fixed concurrency.

/** Prints {"perSecond":…,"cpuUs":…} of all threads as JSON. */
export async function runRaw(
  work: () => Promise<unknown>,
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
): Promise<void> {
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const isOver = (): boolean => performance.now() - began > seconds * 1_000
  let count = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (!isOver()) {
        count += 1
        await work()
      }
    }),
  )
  const elapsed = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  console.log(JSON.stringify({ perSecond: count / elapsed, cpuUs: (user + system) / count }))
}
