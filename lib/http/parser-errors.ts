// Maps the error codes of the parser of Node (llhttp) to problem codes and details.

import type { ErrorCode } from '../base/errors.ts'

const LINES = 'End each header line with CR LF, and do not continue a header on the next line.'
const LENGTH =
  'Send the length of the body once: as a whole number in Content-Length, or by chunked encoding.'

/** Without a detail, the explanation of the problem code is used. */
export const FRAME_FAULTS: Readonly<Record<string, readonly [ErrorCode, string?]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout'],
  HPE_INVALID_METHOD: ['bad-request', 'The method is not an HTTP method.'],
  HPE_INVALID_URL: [
    'bad-request',
    'The request target contains a character that must be percent-encoded.',
  ],
  HPE_INVALID_CONSTANT: [
    'bad-request',
    'The request line must have a method, a target with spaces as %20, and HTTP/1.1.',
  ],
  HPE_INVALID_VERSION: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_PAUSED_H2_UPGRADE: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_INVALID_HEADER_TOKEN: [
    'bad-request',
    'A header line must have a name, a colon directly after the name, and a value without control characters.',
  ],
  HPE_CR_EXPECTED: ['bad-request', LINES],
  HPE_LF_EXPECTED: ['bad-request', LINES],
  HPE_STRICT: ['bad-request', LINES],
  HPE_INVALID_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_INVALID_TRANSFER_ENCODING: [
    'bad-request',
    'The only transfer encoding is chunked, and it must not be combined with Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [
    'bad-request',
    'Each chunk of the body must begin with its size in hexadecimal digits.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'bad-request',
    'Chunk extensions are ignored and may have at most 16 KiB.',
  ],
  HPE_INVALID_EOF_STATE: ['bad-request', 'The connection ended before the request was complete.'],
}
