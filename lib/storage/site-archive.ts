// The archive of a site that a backup over HTTP sends.

/** A snapshot of the whole site as a tar file, to be read once. */
export interface Archive {
  /** RFC 3339. Everything acknowledged before this time is in the archive. */
  readonly moment: string
  /** Throws if the archive could not be completed; ends the archive when the reader stops. */
  chunks(): AsyncIterable<Uint8Array>
  /** Ends an archive that is not read. */
  close(): Promise<void>
}
