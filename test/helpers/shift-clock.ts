// Loaded into a server before all other code (`node --import`); shifts the wall clock by CMS_TEST_CLOCK_MS,
// like a change of the system time. The monotonic clock is not affected.

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
