// The page of the tests has Node's `fetch` and `Response`, but not the streams that they are made of.

import { ReadableStream } from 'node:stream/web'

Object.assign(globalThis, { ReadableStream })
