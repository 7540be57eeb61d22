// The faults that Node's parser (llhttp) names → what is answered to them.

import type { ErrorCode } from '../base/errors.ts'

const LINES = 'Each line of the head ends with CR and LF, and no header goes on in the next line.'
const LENGTH =
  'The length of the body is told once: by Content-Length, a whole number, or by chunks.'

/** Without a detail the explanation of the problem says it all. */
export const FRAME_FAULTS: Readonly<Record<string, readonly [ErrorCode, string?]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout'],
  HPE_INVALID_METHOD: ['bad-request', 'The method is not one that HTTP knows.'],
  HPE_INVALID_URL: ['bad-request', 'The target holds a character that must be percent-encoded.'],
  HPE_INVALID_CONSTANT: [
    'bad-request',
    'The request line must be: a method, a target in which a space is %20, and HTTP/1.1.',
  ],
  HPE_INVALID_VERSION: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_PAUSED_H2_UPGRADE: ['bad-request', 'The version must be HTTP/1.1 or HTTP/1.0.'],
  HPE_INVALID_HEADER_TOKEN: [
    'bad-request',
    'A header line is a name, a colon straight after it, and a value without control characters.',
  ],
  HPE_CR_EXPECTED: ['bad-request', LINES],
  HPE_LF_EXPECTED: ['bad-request', LINES],
  HPE_STRICT: ['bad-request', LINES],
  HPE_INVALID_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['bad-request', LENGTH],
  HPE_INVALID_TRANSFER_ENCODING: [
    'bad-request',
    'The only transfer encoding is chunked, and it is not sent beside Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: ['bad-request', 'A chunk of the body begins with its size, hexadecimal.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'bad-request',
    'The extensions of chunks are passed over, and may have 16 KiB at most.',
  ],
  HPE_INVALID_EOF_STATE: ['bad-request', 'The connection ended within a request.'],
}
