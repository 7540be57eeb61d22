// Appends the bytes of one request to a resumable upload. Bytes that have arrived are kept even if the connection is cut,
// except in a request with a checksum, which counts as a whole. The last bytes are committed together with the file.

import { createHash, type Hash } from 'node:crypto'
import { noSuchRecord } from '../../auth/grants.ts'
import { CmsError, type ErrorCode } from '../../base/errors.ts'
import { withMembers } from '../../base/with-members.ts'
import type { AssetFile } from '../../schema/asset-file.ts'
import { type PartialUpload, partialUpload } from '../../schema/partial-upload.ts'
import type { Stored } from '../../schema/values.ts'
import type { PartialState, PartialWriter } from '../../storage/partials.ts'
import type { Received, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { withAdditions } from '../trail/additions.ts'
import { saveUpload, type UploadTarget } from './uploads.ts'
import type { UploadStore } from './upload-turns.ts'

/** Checksum algorithms by their tus names, which are also the names of Node. */
export const CHECKSUMS = ['sha1', 'sha256'] as const

export interface Checksum {
  readonly algorithm: (typeof CHECKSUMS)[number]
  readonly digest: Buffer
}

export interface ReceivedBody {
  /** Undefined if the client does not declare the size. */
  readonly sizeBytes: number | undefined
  readonly checksum: Checksum | undefined
  /** Calls `take` with each chunk, and resolves at the end of the body. Rejects if the body is cut or the signal aborts. */
  readonly receive: (take: Take, signal: AbortSignal) => Promise<void>
}

/** Returns a promise if the next chunk must wait. */
export type Take = (chunk: Buffer) => Promise<void> | undefined

export interface Appending {
  readonly upload: PartialUpload
  readonly store: UploadStore
  readonly body: ReceivedBody
  readonly target: UploadTarget
  /** Aborts when a newer request wants the upload. */
  readonly signal: AbortSignal
}

/** Returns the upload after the request. */
export async function appendBytes(context: Context, asked: Appending): Promise<PartialUpload> {
  const { upload, store } = asked
  const writer = await store.partials.open(stateOf(upload))
  if (writer === undefined) {
    await forget(store, upload)
    throw noSuchRecord()
  }
  const append = new Append(context, asked, writer)
  try {
    await append.receive()
    return await append.finish()
  } finally {
    await writer.close()
  }
}

export function stateOf({ uid, offset: sizeBytes, parts }: PartialUpload): PartialState {
  return { uid, sizeBytes, ...(parts !== undefined && { parts }) }
}

/** Also thrown if another request has changed the upload meanwhile. */
export function wrongOffset({ offset }: Pick<PartialUpload, 'offset'>): CmsError {
  const detail = `The upload continues at byte ${offset}. Read its offset with HEAD, and send the bytes from there.`
  return new CmsError('upload-offset', detail, { headers: { 'upload-offset': String(offset) } })
}

class Append {
  readonly #context: Context
  readonly #asked: Appending
  readonly #writer: PartialWriter
  readonly #sum: Hash | undefined
  /** As stored. */
  #upload: PartialUpload

  constructor(context: Context, asked: Appending, writer: PartialWriter) {
    this.#context = context
    this.#asked = asked
    this.#writer = writer
    const { checksum } = asked.body
    this.#sum = checksum && createHash(checksum.algorithm)
    this.#upload = asked.upload
  }

  async receive(): Promise<void> {
    const { body, signal } = this.#asked
    try {
      await body.receive((chunk) => this.#take(chunk), signal)
    } catch (error) {
      // The client asks for the offset afterwards. If nothing can be saved, the previous offset still counts. On a full
      // disk the bytes are dropped, so that other changes have room.
      if (this.#sum === undefined && !hasCode(error, 'disk-full'))
        await this.#save().catch(() => undefined)
      throw signal.aborted ? wrongOffset(this.#upload) : error
    }
    this.#requireChecksum()
  }

  /** Commits the new offset, or the file if all bytes have arrived. */
  async finish(): Promise<PartialUpload> {
    if (this.#writer.sizeBytes === this.#upload.length) return this.#complete()
    await this.#save()
    return this.#upload
  }

  #take(chunk: Buffer): Promise<void> | undefined {
    const { length } = this.#upload
    const { maxUploadBytes } = this.#context.limits
    const writer = this.#writer
    if (writer.sizeBytes + chunk.length > (length ?? maxUploadBytes)) throw tooLong(length)
    this.#sum?.update(chunk)
    const waits = writer.write(chunk)
    const { checkpointBytes } = this.#asked.store.partials
    const isDue = writer.sizeBytes - this.#upload.offset >= checkpointBytes
    return isDue && this.#sum === undefined ? this.#checkpoint(waits) : waits
  }

  async #checkpoint(waits: Promise<void> | undefined): Promise<void> {
    await waits
    await this.#save()
  }

  /** Not for the last byte: the offset equals the length only together with the file. */
  async #save(): Promise<void> {
    const { sizeBytes } = this.#writer
    const isNews = sizeBytes > this.#upload.offset || this.#upload !== this.#asked.upload
    if (sizeBytes === this.#upload.length || !isNews) return
    const { parts, sizeBytes: offset } = await this.#writer.sync()
    const next = this.#next({ offset, ...(parts !== undefined && { parts }) })
    await this.#asked.store.records.commit((unit) => {
      this.#requireCurrent(unit)
      unit.put(partialUpload, [next.uid], next)
    })
    this.#upload = next
    await this.#writer.tidy()
  }

  async #complete(): Promise<PartialUpload> {
    const { store, target } = this.#asked
    const received = await this.#writer.receive()
    const sealing = noteSeal(received)
    let next = this.#upload
    const note = (unit: Unit, { value }: Stored<AssetFile>): void => {
      const { asset_file_id, version } = value
      const { parts, ...upload } = this.#next({ offset: received.sizeBytes })
      next = { ...upload, made: { asset_file_id, version } }
      unit.put(partialUpload, [next.uid], next)
    }
    const records = withAdditions(
      this.#context.records,
      [(unit, _changes, result) => note(unit, result as Stored<AssetFile>)],
      (unit) => this.#requireCurrent(unit),
    )
    const context = withMembers(this.#context, { records })
    try {
      await saveUpload(context, { ...target, received: sealing.received })
    } catch (error) {
      // The bytes were removed with the refused file.
      if (sealing.isSealed() && !hasCode(error, 'outcome-unknown'))
        await forget(store, this.#upload)
      throw error
    }
    await store.partials.remove(stateOf(this.#upload)).catch(() => undefined)
    return next
  }

  #next(change: Partial<PartialUpload>): PartialUpload {
    return { ...this.#upload, ...change, date_active: this.#context.now().toISOString() }
  }

  /** In a cluster, another node may have continued the upload. */
  #requireCurrent(unit: Unit): void {
    const { uid } = this.#upload
    const stored = unit.get(partialUpload, uid)?.value
    if (stored === undefined) throw noSuchRecord()
    if (stored.offset !== this.#upload.offset || stored.made !== undefined)
      throw wrongOffset(stored)
  }

  #requireChecksum(): void {
    const { checksum } = this.#asked.body
    if (checksum === undefined || this.#sum?.digest().equals(checksum.digest) === true) return
    throw new CmsError(
      'checksum-mismatch',
      `The ${checksum.algorithm} of the body differs from Upload-Checksum. The bytes were dropped. Send them again.`,
    )
  }
}

function tooLong(length: number | null): CmsError {
  const detail =
    length === null
      ? 'The upload is larger than the largest file. Ask the operator to increase --max-upload-mb.'
      : `The upload has ${length} bytes, and the request has more than are missing.`
  return new CmsError('too-large', detail)
}

/** Removes an upload whose bytes are gone. */
async function forget({ records, partials }: UploadStore, upload: PartialUpload): Promise<void> {
  await records.commit((unit) => unit.remove(partialUpload, upload.uid))
  await partials.remove(stateOf(upload))
}

function noteSeal(received: Received) {
  let isSealed = false
  return {
    isSealed: () => isSealed,
    received: {
      ...received,
      async seal(named) {
        const sealed = await received.seal(named)
        isSealed = true
        return sealed
      },
    } satisfies Received,
  }
}

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof CmsError && error.code === code
}
