// Problems of resumable uploads, for problem-table.ts.

import { problem } from './problem.ts'

export const UPLOAD_PROBLEMS = {
  'upload-offset': problem(
    409,
    'The upload continues at another offset',
    'The header Upload-Offset differs from the bytes that the server has, or a newer request has continued the upload. Read the offset with HEAD, and send the bytes from there. If the upload is complete, the member asset_file_id names the file.',
  ),
  'tus-version': problem(
    412,
    'The tus version is not supported',
    'Resumable uploads follow tus 1.0.0. Send the header "Tus-Resumable: 1.0.0".',
  ),
  'checksum-mismatch': problem(
    460,
    'The checksum differs',
    'The bytes of the request do not have the checksum in Upload-Checksum. The server discarded these bytes, and the offset is unchanged. Send the bytes again.',
  ),
} as const
