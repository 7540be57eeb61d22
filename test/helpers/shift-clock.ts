// Loaded into a server before all else (`node --import`): its clock is off by CMS_TEST_CLOCK_MS. Only the
// wall clock, as when somebody sets it; what counts time by itself goes on.

const offsetMs = Number(process.env['CMS_TEST_CLOCK_MS'] ?? 0)
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    super(...((args.length === 0 ? [RealDate.now() + offsetMs] : args) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor
