// The test environment has Node's `fetch` and `Response`, but not the streams that they use.

import { ReadableStream } from 'node:stream/web'

Object.assign(globalThis, { ReadableStream })
