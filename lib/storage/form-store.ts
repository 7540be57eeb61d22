// The interfaces of the disk caches of derived forms (embedded/coded-forms.ts, embedded/picture-store.ts).

export type FormCoding = 'br' | 'gzip'

/** A compressed form of a content, by the uid of the content. */
export interface FormName {
  readonly uid: string
  readonly coding: FormCoding
}

/** Compressed forms of contents: a cache on the disk of this server, which no backup has. */
export interface FormStore {
  /** Undefined if the form is missing or damaged. An empty form means that compression does not save enough. */
  read(name: FormName): Promise<Uint8Array | undefined>
  /** Replaces the form atomically. Throws the error of the system if it cannot be written. */
  write(name: FormName, form: Uint8Array): Promise<void>
  /** A missing form is no error. */
  drop(uids: readonly string[]): Promise<void>
}

/** A form of a picture, by the uid of the content. */
export interface PictureName {
  readonly uid: string
  /** Size, format and crop, as letters, digits and `-`, `,`, `.`: operations/files/picture-forms.ts. */
  readonly form: string
}

/** Forms of pictures: a cache like FormStore. */
export interface PictureStore {
  /** Undefined if the form is missing or damaged. */
  read(name: PictureName): Promise<Buffer | undefined>
  /** Replaces the form atomically. Throws the error of the system if it cannot be written. */
  write(name: PictureName, bytes: Uint8Array): Promise<void>
  /** A missing form is no error. */
  drop(uids: readonly string[]): Promise<void>
}
